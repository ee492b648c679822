import { expect, test } from 'vitest'
import { counted } from './counts.ts'

test.each([
  [0, '0\u00A0vue'],
  [1, '1\u00A0vue'],
  [2, '2\u00A0vues'],
  [12_345, '12\u202F345\u00A0vues'],
])('%d is said in French', (count, words) => {
  expect(counted(count, 'vue', 'vues')).toBe(words)
})
