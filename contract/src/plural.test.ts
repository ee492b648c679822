import { expect, test } from 'vitest'
import { pluralize } from './plural.ts'

test.each([
  [0, 'vue'],
  [1, 'vue'],
  [1.5, 'vue'],
  [2, 'vues'],
  [1_000_000, 'vues'],
])('%d agrees with « %s »', (count, word) => {
  expect(pluralize(count, 'vue', 'vues')).toBe(word)
})
