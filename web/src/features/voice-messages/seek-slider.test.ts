import { expect, test } from 'vitest'
import { barsOf, wavePath } from './seek-slider.tsx'

test('a bar is as high as the loudest moment it stands for, and the loudest one fills the drawing', () => {
  expect(barsOf([0.1, 0.4, 0, 0.8, 0.2, 0.2], 3)).toEqual([0.5, 1, 0.25])
})

test('fewer peaks than bars are spread over all of them', () => {
  expect(barsOf([0.5, 1], 4)).toEqual([0.5, 0.5, 1, 1])
})

test('silence, and a shape that is not known yet, are a thin line', () => {
  expect(new Set(barsOf([], 10))).toEqual(new Set([0.05]))
  expect(new Set(barsOf([0, 0, 0], 10))).toEqual(new Set([0.05]))
})

test('the path has one stroke for each bar, centred', () => {
  expect(wavePath([1, 0.5])).toBe('M30.00 2.0V46.0M90.00 13.0V35.0')
})
