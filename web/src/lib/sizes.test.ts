import { expect, test } from 'vitest'
import { formatBytes, formatStorage } from './sizes.ts'

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

test.each([
  [0, '0 Mo'],
  [12.34, '12,3 Mo'],
  [500, '500 Mo'],
  [1024, '1,0 Go'],
  [5120, '5,0 Go'],
  [51_712, '50,5 Go'],
  [-1, 'Illimité'],
])('a storage of %d is « %s »', (megabytes, text) => {
  expect(formatStorage(megabytes).replaceAll('\u00A0', ' ')).toBe(text)
})
