import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { lengthInWords } from '#contract/date-in-words.ts'
import {
  counted,
  formatBytes,
  formatDuration,
  formatPlace,
  formatShortCount,
  formatStorage,
  formatTotal,
  parsePlace,
  speakPlace,
} from './format.ts'

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

test.each([
  [0, '0:00'],
  [9.6, '0:10'],
  [65, '1:05'],
  [3729, '1:02:09'],
])('%d seconds last « %s »', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})

test.each([
  [0, '0 s', '0 s'],
  [45.4, '45 s', '45 s'],
  [72, '1 min 12 s', '1 min'],
  [180, '3 min', '3 min'],
  [7500, '2 h 05', '2 h 05'],
  [20_640, '5 h 44', '5 h 44'],
  [7200, '2 h', '2 h'],
  [360_060, '100 h 01', '100 h 01'],
])('%d seconds are « %s » in words, « %s » as a total', (seconds, words, total) => {
  expect(lengthInWords(seconds).replaceAll('\u00A0', ' ')).toBe(words)
  expect(formatTotal(seconds).replaceAll('\u00A0', ' ')).toBe(total)
})

describe('a place in a video', () => {
  test('is read as it was written, to the tenth', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 863_999 }), (tenths) => {
        expect(parsePlace(formatPlace(tenths / 10))).toBeCloseTo(tenths / 10, 6)
      }),
    )
  })

  test.each([
    ['12', 12],
    [' 12,5 ', 12.5],
    ['12.5', 12.5],
    ['1:05,3', 65.3],
    ['1:02:05', 3725],
    ['', undefined],
    ['-3', undefined],
    ['1:', undefined],
    ['douze', undefined],
  ])('« %s » is read as %s', (text, seconds) => {
    expect(parsePlace(text)).toBe(seconds)
  })

  test.each([
    [0, '0 seconde'],
    [1.5, '1,5 seconde'],
    [12.5, '12,5 secondes'],
    [65.3, '1 minute 5,3 secondes'],
    [120, '2 minutes 0 seconde'],
  ])('%d is spoken « %s »', (seconds, words) => {
    expect(speakPlace(seconds)).toBe(words)
  })
})
