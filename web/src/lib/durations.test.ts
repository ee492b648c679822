import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  formatDuration,
  formatLength,
  formatPlace,
  formatTotal,
  parsePlace,
  speakPlace,
} from './durations.ts'

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
  [7500, '2 h 05 min', '2 h 05'],
  [360_060, '100 h 01 min', '100 h 01'],
])('%d seconds are « %s » in words, « %s » as a total', (seconds, words, total) => {
  expect(formatLength(seconds).replaceAll('\u00A0', ' ')).toBe(words)
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
