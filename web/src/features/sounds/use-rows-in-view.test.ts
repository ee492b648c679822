import { expect, test } from 'vitest'
import { nextRows, type RowsInView } from './use-rows-in-view.ts'

const START: RowsInView = { seen: { first: 0, last: 11 }, made: { first: 0, last: 11 } }

test('a row that comes in slowly is made at once', () => {
  const { made } = nextRows(START, { first: 1, last: 12 }, false)
  expect(made).toEqual({ first: 1, last: 12 })
})

test('what goes by makes nothing, and keeps what is still seen', () => {
  expect(nextRows(START, { first: 8, last: 19 }, true).made).toEqual({ first: 8, last: 11 })
  const { made } = nextRows(START, { first: 100, last: 111 }, true)
  expect(made.last).toBeLessThan(made.first)
})

test.each([
  ['far below', { first: 100, last: 111 }],
  ['far above', { first: -4, last: 7 }],
  ['half seen already', { first: 6, last: 17 }],
])('once it is still, all that is seen is made, a few rows a frame: %s', (_, seen) => {
  const passed = nextRows({ seen: START.seen, made: { first: 6, last: 11 } }, seen, true)
  let rows = passed
  let frames = 0
  while (rows.made.first !== seen.first || rows.made.last !== seen.last) {
    const before = Math.max(0, rows.made.last - rows.made.first + 1)
    rows = nextRows(rows, seen, false)
    expect(rows.made.last - rows.made.first + 1 - before).toBeLessThanOrEqual(2)
    frames += 1
    expect(frames).toBeLessThan(20)
  }
})
