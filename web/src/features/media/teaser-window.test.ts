import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  defaultWindow,
  lengthOf,
  moveEnd,
  moveStart,
  slide,
  type TeaserWindow,
  validateTeaser,
  viewAround,
} from './teaser-window.ts'

const anyDuration = fc.double({ min: 1, max: 20_000, noNaN: true })
const anyPlace = fc.double({ min: -100, max: 30_000, noNaN: true })

/** A video, a window somewhere in it, and a place a finger may point at. */
const anyScene = fc
  .record({ duration: anyDuration, first: anyPlace, second: anyPlace, place: anyPlace })
  .map(({ duration, first, second, place }) => {
    const whole = slide(defaultWindow(duration) as TeaserWindow, first, duration)
    return { duration, place, window: moveEnd(whole, second, duration) }
  })

const moves = {
  'pulling the start': ({ window, place }: Scene) => moveStart(window, place),
  'pulling the end': ({ window, place, duration }: Scene) => moveEnd(window, place, duration),
  'sliding the whole': ({ window, place, duration }: Scene) => slide(window, place, duration),
}
type Scene = { duration: number; place: number; window: TeaserWindow }

describe.each(Object.entries(moves))('%s', (_name, move) => {
  test('never makes a window that is refused', () => {
    fc.assert(
      fc.property(anyScene, (scene) => {
        const moved = move(scene)
        expect(validateTeaser(moved, scene.duration)).toBeUndefined()
        expect(moved.start).toBeGreaterThanOrEqual(0)
        expect(moved.end).toBeLessThanOrEqual(scene.duration + 1e-6)
      }),
      { numRuns: 1000 },
    )
  })

  test('stays on tenths of a second, and stays there when done again', () => {
    fc.assert(
      fc.property(anyScene, (scene) => {
        const moved = move(scene)
        for (const place of [moved.start, moved.end]) {
          expect(Math.round(place * 10) / 10).toBe(place)
        }
        expect(move({ ...scene, window: moved })).toEqual(moved)
      }),
      { numRuns: 1000 },
    )
  })
})

test('sliding keeps the length', () => {
  fc.assert(
    fc.property(anyScene, ({ window, place, duration }) => {
      expect(lengthOf(slide(window, place, duration))).toBe(lengthOf(window))
    }),
  )
})

test('pulling one end leaves the other where it is', () => {
  fc.assert(
    fc.property(anyScene, ({ window, place, duration }) => {
      expect(moveStart(window, place).end).toBe(window.end)
      expect(moveEnd(window, place, duration).start).toBe(window.start)
    }),
  )
})

test.each([
  [0.5, undefined],
  [1, { start: 0, end: 1 }],
  [4.27, { start: 0, end: 4.2 }],
  [10, { start: 0, end: 10 }],
  [600, { start: 0, end: 10 }],
])('a video of %d s starts with %o', (duration, window) => {
  expect(defaultWindow(duration)).toEqual(window)
})

test.each([
  [{ start: 0, end: 0.9 }, 'La fin de l’extrait doit être au moins 1\u00A0s après son début'],
  [{ start: 5, end: 3 }, 'La fin de l’extrait doit être au moins 1\u00A0s après son début'],
  [{ start: 0, end: 30.1 }, 'Le teaser dépasse la durée maximale autorisée'],
  [{ start: 40, end: 60.1 }, 'L’extrait dépasse la fin de la vidéo'],
  [{ start: 9.3, end: 10.3 }, undefined],
  [{ start: 30, end: 60 }, undefined],
])('%o of a minute is answered « %s »', (window, sentence) => {
  expect(validateTeaser(window, 60)).toBe(sentence)
})

test('the view holds the whole window, whatever the length of the video', () => {
  fc.assert(
    fc.property(anyScene, ({ window, duration }) => {
      const view = viewAround(window, duration)
      expect(view.start).toBeLessThanOrEqual(window.start)
      expect(view.end).toBeGreaterThanOrEqual(window.end - 1e-6)
      expect(view.start).toBeGreaterThanOrEqual(0)
      expect(view.end).toBeLessThanOrEqual(duration + 1e-6)
    }),
  )
})
