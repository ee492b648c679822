import { expect, it } from 'vitest'
import { maskEmail } from './email-address.ts'

it.each([
  ['denise@gmail.com', 'd•••@g•••.com'],
  ['a@b.co.uk', 'a•••@b•••.uk'],
  ['😀@exemple.test', '😀•••@e•••.test'],
])('masks %s as %s', (email, masked) => {
  expect(maskEmail(email)).toBe(masked)
})
