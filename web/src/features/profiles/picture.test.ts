import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moved, sideOf, wholeSquare, zoomed } from './picture.ts'

const landscape = { width: 400, height: 200 }

test('begins with the largest square, in the middle', () => {
  const crop = wholeSquare(landscape)
  expect(crop).toEqual({ centerX: 200, centerY: 100, zoom: 1 })
  expect(sideOf(landscape, crop)).toBe(200)
})

test('slides as far as the edge and no further', () => {
  expect(moved(landscape, wholeSquare(landscape), -500, 30)).toEqual({
    centerX: 100,
    centerY: 100,
    zoom: 1,
  })
})

test('keeps what is under the finger under it while zooming', () => {
  const before = wholeSquare(landscape)
  const after = zoomed(landscape, before, 2, 0.5, -0.5)
  expect(after).toEqual({ centerX: 250, centerY: 50, zoom: 2 })
})

test('never leaves the picture, whatever is done to it', () => {
  const pixels = fc.integer({ min: 1, max: 10_000 })
  const share = fc.double({ min: -0.5, max: 0.5, noNaN: true })
  const by = fc.double({ min: -1e5, max: 1e5, noNaN: true })
  const zoom = fc.double({ min: -10, max: 100, noNaN: true })
  fc.assert(
    fc.property(
      fc.record({ width: pixels, height: pixels }),
      fc.array(fc.tuple(by, by, zoom, share, share), { maxLength: 8 }),
      (size, gestures) => {
        const crop = gestures.reduce(
          (known, [byX, byY, to, atX, atY]) =>
            zoomed(size, moved(size, known, byX, byY), to, atX, atY),
          wholeSquare(size),
        )
        const half = sideOf(size, crop) / 2
        const slack = 1e-6 * Math.max(size.width, size.height)
        expect(crop.centerX - half).toBeGreaterThanOrEqual(-slack)
        expect(crop.centerY - half).toBeGreaterThanOrEqual(-slack)
        expect(crop.centerX + half).toBeLessThanOrEqual(size.width + slack)
        expect(crop.centerY + half).toBeLessThanOrEqual(size.height + slack)
      },
    ),
  )
})
