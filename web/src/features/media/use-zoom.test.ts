import { describe, expect, test } from 'vitest'
import { clampToContainer, FITTED, pan, zoomAt } from './use-zoom.ts'

const stage = { width: 400, height: 800 }
const image = { width: 400, height: 300 }

describe('an image on the whole screen', () => {
  test('grows around the place that is touched', () => {
    const place = { x: 100, y: -50 }
    const view = zoomAt(FITTED, 2, place)
    expect(view).toEqual({ scale: 2, x: -100, y: 50 })
    // The point of the image under the finger: (place - shift) / scale.
    expect((place.x - view.x) / view.scale).toBe(100)
    expect((place.y - view.y) / view.scale).toBe(-50)
  })

  test('is never smaller than whole, nor larger than six times', () => {
    expect(zoomAt(FITTED, 0.2, { x: 10, y: 10 })).toEqual(FITTED)
    expect(zoomAt(FITTED, 100, { x: 0, y: 0 }).scale).toBe(6)
  })

  test('does not leave the screen', () => {
    const far = pan(zoomAt(FITTED, 2, { x: 0, y: 0 }), { x: 900, y: 900 })
    // 800 wide on 400: 200 to each side; 600 high on 800 fits, so it stays in the middle.
    expect(clampToContainer(far, stage, image)).toEqual({ scale: 2, x: 200, y: 0 })
    expect(clampToContainer(pan(FITTED, { x: 30, y: -30 }), stage, image)).toEqual(FITTED)
  })
})
