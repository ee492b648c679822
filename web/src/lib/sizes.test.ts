import { expect, test } from 'vitest'
import { formatBytes } from './sizes.ts'

test.each([
  [0, '0 o'],
  [512, '512 o'],
  [1536, '2 Ko'],
  [12.4 * 1024 * 1024, '12,4 Mo'],
  [600 * 1024 * 1024, '600 Mo'],
  [1.5 * 1024 ** 3, '1,5 Go'],
])('%d bytes are « %s »', (bytes, text) => {
  expect(formatBytes(bytes).replaceAll('\u00A0', ' ')).toBe(text)
})
