import { expect, test } from 'vitest'
import { counted, formatShortCount } from './counts.ts'

test.each([
  [0, '0\u00A0vue'],
  [1, '1\u00A0vue'],
  [2, '2\u00A0vues'],
  [12_345, '12\u202F345\u00A0vues'],
])('%d is said in French', (count, words) => {
  expect(counted(count, 'vue', 'vues')).toBe(words)
})

test.each([
  [99_999, '99\u202F999'],
  [123_456, '123,5\u00A0k'],
  [1_234_567, '1,2\u00A0M'],
])('%d fits a narrow place', (count, words) => {
  expect(formatShortCount(count)).toBe(words)
})
