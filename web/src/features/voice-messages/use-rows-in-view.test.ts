import { expect, test } from 'vitest'
import { nextRows, type RowsInView } from './use-rows-in-view.ts'

const START: RowsInView = { visible: { first: 0, last: 11 }, rendered: { first: 0, last: 11 } }

test('a row that comes in slowly is rendered at once', () => {
  const { rendered } = nextRows(START, { first: 1, last: 12 }, false)
  expect(rendered).toEqual({ first: 1, last: 12 })
})

test('a fast list renders no new row, and leaves those in view rendered', () => {
  expect(nextRows(START, { first: 8, last: 19 }, true).rendered).toEqual({ first: 8, last: 11 })
  const { rendered } = nextRows(START, { first: 100, last: 111 }, true)
  expect(rendered.last).toBeLessThan(rendered.first)
})

test.each([
  ['far below', { first: 100, last: 111 }],
  ['far above', { first: -4, last: 7 }],
  ['half visible already', { first: 6, last: 17 }],
])('a list that is still renders all rows in view, a few per frame: %s', (_, visible) => {
  const passed = nextRows(
    { visible: START.visible, rendered: { first: 6, last: 11 } },
    visible,
    true,
  )
  let rows = passed
  let frames = 0
  while (rows.rendered.first !== visible.first || rows.rendered.last !== visible.last) {
    const before = Math.max(0, rows.rendered.last - rows.rendered.first + 1)
    rows = nextRows(rows, visible, false)
    expect(rows.rendered.last - rows.rendered.first + 1 - before).toBeLessThanOrEqual(2)
    frames += 1
    expect(frames).toBeLessThan(20)
  }
})
