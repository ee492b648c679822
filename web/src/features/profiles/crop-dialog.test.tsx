import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { CropDialog } from './crop-dialog.tsx'

const SHOWN_PX = 200
const [WIDTH, HEIGHT] = [400, 200]

const onCut = vi.fn<(file: File) => void>()
const drawImage = vi.fn()

/** The square shown of a picture of 400 by 200, in its own pixels, which are those of the screen before any zoom. */
function shownSquare() {
  const { transform } = picture().style
  const numbers = (transform.match(/-?[\d.]+/g) ?? []).map(Number)
  const [x = Number.NaN, y = Number.NaN, , zoom = Number.NaN] = numbers
  const side = SHOWN_PX / zoom
  return {
    side: Math.round(side),
    left: Math.round(WIDTH / 2 - x / zoom - side / 2),
    top: Math.round(HEIGHT / 2 - y / zoom - side / 2),
  }
}

function picture() {
  const image = screen.getByRole('dialog').querySelector('img')
  if (!image) throw new Error('No picture is shown')
  return image
}

function stage() {
  return screen.getByRole('group', { name: 'Cadre de la photo' })
}

/** The picture follows with the next frame of the screen. */
function nextFrame() {
  return act(() => new Promise((resolve) => requestAnimationFrame(resolve)))
}

function touches(...places: [clientX: number, clientY: number][]) {
  const list = places.map(([clientX, clientY]) => ({ clientX, clientY }))
  return { touches: list, changedTouches: list }
}

describe('the crop of a picture', () => {
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(
      new DOMRect(0, 0, SHOWN_PX, SHOWN_PX),
    )
    vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(WIDTH)
    vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(HEIGHT)
    const canvas = HTMLCanvasElement.prototype
    const pen = { fillRect: () => undefined, drawImage }
    vi.spyOn(canvas, 'getContext').mockReturnValue(pen as never)
    vi.spyOn(canvas, 'toBlob').mockImplementation((call, type) => call(new Blob([], { type })))
    onCut.mockReset()
    drawImage.mockReset()
    const image = document.createElement('img')
    image.src = 'blob:test/1'
    render(
      <CropDialog
        picture={{ image, width: WIDTH, height: HEIGHT }}
        onCut={onCut}
        onClose={() => undefined}
      />,
    )
    fireEvent.load(picture())
  })

  test('begins with the largest square in the middle', () => {
    expect(shownSquare()).toEqual({ side: 200, left: 100, top: 0 })
  })

  test('follows the mouse, and only while it is pressed', async () => {
    fireEvent.mouseMove(stage(), { clientX: 100, clientY: 100 })
    await nextFrame()
    expect(shownSquare().left).toBe(100)
    fireEvent.mouseDown(stage(), { clientX: 100, clientY: 100 })
    fireEvent.mouseMove(stage(), { clientX: 140, clientY: 100 })
    await nextFrame()
    expect(shownSquare()).toEqual({ side: 200, left: 60, top: 0 })
    fireEvent.mouseUp(stage())
    fireEvent.mouseMove(stage(), { clientX: 190, clientY: 100 })
    await nextFrame()
    expect(shownSquare().left).toBe(60)
  })

  test('slides as far as the edge and no further', async () => {
    fireEvent.mouseDown(stage(), { clientX: 100, clientY: 100 })
    fireEvent.mouseMove(stage(), { clientX: 900, clientY: 130 })
    await nextFrame()
    expect(shownSquare()).toEqual({ side: 200, left: 0, top: 0 })
  })

  test('follows a finger, and grows between two', async () => {
    fireEvent.touchStart(stage(), touches([100, 100]))
    fireEvent.touchMove(stage(), touches([130, 100]))
    await nextFrame()
    expect(shownSquare()).toEqual({ side: 200, left: 70, top: 0 })
    fireEvent.touchEnd(stage(), touches())
    fireEvent.touchStart(stage(), touches([80, 100], [120, 100]))
    for (const _ of ['grows', 'and follows']) {
      fireEvent.touchMove(stage(), touches([60, 100], [140, 100]))
      await nextFrame()
    }
    // What was in the middle still is.
    expect(shownSquare()).toEqual({ side: 100, left: 120, top: 50 })
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

  test('grows from the middle of the frame with the slider', () => {
    fireEvent.keyDown(stage(), { key: 'ArrowLeft' })
    const { left } = shownSquare()
    fireEvent.change(screen.getByLabelText('Zoom'), { target: { value: '2' } })
    expect(shownSquare()).toEqual({ side: 100, left: left + 50, top: 50 })
  })

  test('cuts the square that is shown, as a JPEG', async () => {
    fireEvent.keyDown(stage(), { key: 'ArrowRight' })
    const { left, top, side } = shownSquare()
    fireEvent.click(screen.getByRole('button', { name: 'Utiliser cette photo' }))
    await waitFor(() => expect(onCut).toHaveBeenCalledOnce())
    const drawn = drawImage.mock.lastCall?.slice(1).map(Math.round)
    expect(drawn).toEqual([left, top, side, side, 0, 0, side, side])
    expect(onCut.mock.lastCall?.[0]).toMatchObject({ name: 'photo.jpg', type: 'image/jpeg' })
  })
})
