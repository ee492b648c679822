import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from 'react'
import { type Crop, moved, type Size, sideOf, zoomed } from './crop-square.ts'

const KEY_SHARE = 0.05
const KEY_ZOOM = 1.15
const WHEEL_ZOOM = 0.0015

interface Point {
  x: number
  y: number
}

interface CropGestures {
  size: Size
  crop: Crop
  onChange: (crop: Crop) => void
}

/** Drag with one finger or the mouse, pinch with two, zoom with the wheel, arrows and + − on a keyboard. */
export function useCropGestures({ size, crop, onChange }: CropGestures) {
  const stage = useRef<HTMLDivElement>(null)
  const fingers = useRef(new Map<number, Point>())
  const current = useRef(crop)
  current.current = crop
  const change = (next: Crop) => {
    // Two fingers move within one frame: the second starts where the first has led.
    current.current = next
    onChange(next)
  }

  const drag = (byX: number, byY: number) => {
    const perPixel = sideOf(size, current.current) / (stage.current?.clientWidth || 1)
    change(moved(size, current.current, -byX * perPixel, -byY * perPixel))
  }
  const zoomAt = (factor: number, clientX: number, clientY: number) => {
    const box = stage.current?.getBoundingClientRect()
    if (!box?.width) return
    const atX = (clientX - box.left) / box.width - 0.5
    const atY = (clientY - box.top) / box.height - 0.5
    change(zoomed(size, current.current, current.current.zoom * factor, atX, atY))
  }

  const onWheel = useRef((_: WheelEvent) => {})
  onWheel.current = (event) => {
    event.preventDefault()
    zoomAt(Math.exp(-event.deltaY * WHEEL_ZOOM), event.clientX, event.clientY)
  }
  useEffect(() => {
    // React listens to the wheel passively: the page would scroll as well.
    const listener = (event: WheelEvent) => onWheel.current(event)
    const element = stage.current
    element?.addEventListener('wheel', listener, { passive: false })
    return () => element?.removeEventListener('wheel', listener)
  }, [])

  const onPointerMove = (event: PointerEvent) => {
    const before = fingers.current.get(event.pointerId)
    if (!before) return
    const now = { x: event.clientX, y: event.clientY }
    fingers.current.set(event.pointerId, now)
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    if (!other) return drag(now.x - before.x, now.y - before.y)
    drag((now.x - before.x) / 2, (now.y - before.y) / 2)
    const apart = distance(before, other)
    if (apart > 0) {
      zoomAt(distance(now, other) / apart, (now.x + other.x) / 2, (now.y + other.y) / 2)
    }
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const step = sideOf(size, current.current) * KEY_SHARE
    const next = keyed(event.key, size, current.current, step)
    if (!next) return
    event.preventDefault()
    change(next)
  }

  const forget = (event: PointerEvent) => void fingers.current.delete(event.pointerId)
  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture?.(event.pointerId)
      fingers.current.set(event.pointerId, { x: event.clientX, y: event.clientY })
    },
    onPointerMove,
    onPointerUp: forget,
    onPointerCancel: forget,
    onKeyDown,
  }
  return { stage, handlers }
}

function keyed(key: string, size: Size, crop: Crop, step: number): Crop | undefined {
  switch (key) {
    case 'ArrowLeft':
      return moved(size, crop, -step, 0)
    case 'ArrowRight':
      return moved(size, crop, step, 0)
    case 'ArrowUp':
      return moved(size, crop, 0, -step)
    case 'ArrowDown':
      return moved(size, crop, 0, step)
    case '+':
    case '=':
      return zoomed(size, crop, crop.zoom * KEY_ZOOM)
    case '-':
      return zoomed(size, crop, crop.zoom / KEY_ZOOM)
    default:
      return undefined
  }
}

function distance(one: Point, other: Point): number {
  return Math.hypot(one.x - other.x, one.y - other.y)
}
