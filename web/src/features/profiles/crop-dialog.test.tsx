import { fireEvent, render, screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CropDialog } from './crop-dialog.tsx'

const SHOWN_PX = 200

/** The square shown of a picture of 400 by 200, in its own pixels: its side, its left and its top. */
function shownSquare() {
  const { width, left, top } = stage().querySelector('img')?.style ?? {}
  const side = 400 / (Number.parseFloat(width ?? '') / 100)
  const pixels = (share = '') => Math.round((Number.parseFloat(share) / 100) * side)
  return { side: Math.round(side), left: 0 - pixels(left), top: 0 - pixels(top) }
}

function stage() {
  return screen.getByRole('group', { name: 'Cadre de la photo' })
}

function finger(pointerId: number, clientX: number, clientY: number) {
  return { pointerId, clientX, clientY }
}

describe('the crop of a picture', () => {
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(SHOWN_PX)
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
      new DOMRect(0, 0, SHOWN_PX, SHOWN_PX),
    )
    const image = document.createElement('img')
    image.src = 'blob:test/1'
    render(
      <CropDialog
        picture={{ image, width: 400, height: 200 }}
        onCut={() => undefined}
        onClose={() => undefined}
      />,
    )
  })

  test('begins with the largest square in the middle', () => {
    expect(shownSquare()).toEqual({ side: 200, left: 100, top: 0 })
  })

  test('follows the finger, and only while it touches', () => {
    fireEvent.pointerMove(stage(), finger(1, 100, 100))
    expect(shownSquare().left).toBe(100)
    fireEvent.pointerDown(stage(), finger(1, 100, 100))
    fireEvent.pointerMove(stage(), finger(1, 140, 100))
    expect(shownSquare()).toEqual({ side: 200, left: 60, top: 0 })
    fireEvent.pointerUp(stage(), finger(1, 140, 100))
    fireEvent.pointerMove(stage(), finger(1, 190, 100))
    expect(shownSquare().left).toBe(60)
  })

  test('grows between two fingers', () => {
    fireEvent.pointerDown(stage(), finger(1, 80, 100))
    fireEvent.pointerDown(stage(), finger(2, 120, 100))
    fireEvent.pointerMove(stage(), finger(1, 60, 100))
    fireEvent.pointerMove(stage(), finger(2, 140, 100))
    expect(shownSquare()).toEqual({ side: 100, left: 150, top: 50 })
  })

  test('grows under the wheel, where it points, and the page does not scroll', () => {
    const mayScroll = fireEvent.wheel(stage(), { deltaY: -400, clientX: 0, clientY: 0 })
    expect(mayScroll).toBe(false)
    const { side, left, top } = shownSquare()
    expect(side).toBeLessThan(200)
    expect([left, top]).toEqual([100, 0])
  })

  test('answers the keyboard, and leaves other keys alone', () => {
    fireEvent.keyDown(stage(), { key: '+' })
    fireEvent.keyDown(stage(), { key: 'ArrowDown' })
    const { side, top } = shownSquare()
    expect(side).toBe(Math.round(200 / 1.15))
    expect(top).toBeGreaterThan(13)
    expect(fireEvent.keyDown(stage(), { key: 'Tab' })).toBe(true)
  })
})
