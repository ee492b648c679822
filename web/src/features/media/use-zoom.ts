import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react'

const STEP = 1.5
const DOUBLE_TAP_SCALE = 2.5
const DOUBLE_TAP_MS = 300
const TAP_MOVES_LESS_THAN = 10
const ARROW_STEP = 80
const CENTRE: Point = { x: 0, y: 0 }

/** Zoom and pan of one image by fingers, mouse, wheel and keys. A tap beside the image calls `onLeave`. */
export function useZoom(onLeave: () => void) {
  // A state, not a ref: the content of a dialog mounts after the dialog.
  const [container, setContainer] = useState<HTMLElement | null>(null)
  const image = useRef<HTMLImageElement>(null)
  const [view, setView] = useState<View>(FITTED)
  // A finger moves the image at once; a key or a double tap may animate it.
  const [isAnimated, setAnimated] = useState(false)
  const fingers = useRef(new Map<number, Point>())
  const lastTap = useRef({ at: 0, place: CENTRE })
  const moved = useRef(0)

  const change = (next: (view: View) => View, animates: boolean) => {
    setAnimated(animates)
    setView((current) => {
      const wanted = next(current)
      if (!container || !image.current) return wanted
      const { clientWidth: width, clientHeight: height } = container
      const { offsetWidth, offsetHeight } = image.current
      return clampToContainer(
        wanted,
        { width, height },
        { width: offsetWidth, height: offsetHeight },
      )
    })
  }
  const zoom = (factor: number) => change((current) => zoomAt(current, factor, CENTRE), true)
  const placeOf = ({ clientX, clientY }: { clientX: number; clientY: number }): Point => {
    const box = container?.getBoundingClientRect()
    if (!box) return CENTRE
    return { x: clientX - box.left - box.width / 2, y: clientY - box.top - box.height / 2 }
  }
  const onTap = (place: Point) => {
    if (view.scale === 1 && isBeside(image.current, place)) return onLeave()
    const { at, place: before } = lastTap.current
    const isDouble = Date.now() - at < DOUBLE_TAP_MS && distance(place, before) < 40
    lastTap.current = { at: isDouble ? 0 : Date.now(), place }
    if (!isDouble) return
    change(
      (current) => (current.scale > 1 ? FITTED : zoomAt(current, DOUBLE_TAP_SCALE, place)),
      true,
    )
  }

  useWheel(container, (event) => {
    const place = placeOf(event)
    change((current) => zoomAt(current, Math.exp(-event.deltaY / 300), place), false)
  })

  const handlers = {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (fingers.current.size === 0) moved.current = 0
      fingers.current.set(event.pointerId, placeOf(event))
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      const before = fingers.current.get(event.pointerId)
      if (!before) return
      const now = placeOf(event)
      fingers.current.set(event.pointerId, now)
      moved.current += distance(before, now)
      const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
      change((current) => {
        if (!other) return pan(current, { x: now.x - before.x, y: now.y - before.y })
        const [from, to] = [middle(before, other), middle(now, other)]
        const factor = distance(now, other) / Math.max(1, distance(before, other))
        return pan(zoomAt(current, factor, from), { x: to.x - from.x, y: to.y - from.y })
      }, false)
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      const wasAlone = fingers.current.size === 1
      fingers.current.delete(event.pointerId)
      if (wasAlone && moved.current < TAP_MOVES_LESS_THAN) onTap(placeOf(event))
    },
    onPointerCancel: (event: PointerEvent<HTMLElement>) => {
      fingers.current.delete(event.pointerId)
    },
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const act = KEYS[event.key]
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    change(act, true)
  }
  return { setContainer, image, view, isAnimated, zoom, handlers, onKeyDown, step: STEP }
}

/** Whether a point, relative to the middle of the screen, is outside the fitted image. */
function isBeside(image: HTMLImageElement | null, { x, y }: Point): boolean {
  if (!image) return false
  return Math.abs(x) > image.offsetWidth / 2 || Math.abs(y) > image.offsetHeight / 2
}

const KEYS: Record<string, (view: View) => View> = {
  '+': (view) => zoomAt(view, STEP, CENTRE),
  '=': (view) => zoomAt(view, STEP, CENTRE),
  '-': (view) => zoomAt(view, 1 / STEP, CENTRE),
  '0': () => FITTED,
  ArrowLeft: (view) => pan(view, { x: ARROW_STEP, y: 0 }),
  ArrowRight: (view) => pan(view, { x: -ARROW_STEP, y: 0 }),
  ArrowUp: (view) => pan(view, { x: 0, y: ARROW_STEP }),
  ArrowDown: (view) => pan(view, { x: 0, y: -ARROW_STEP }),
}

/** React attaches passive listeners; this one prevents the page behind from scrolling. */
function useWheel(element: HTMLElement | null, onWheel: (event: WheelEvent) => void): void {
  const latest = useRef(onWheel)
  useEffect(() => {
    latest.current = onWheel
  })
  useEffect(() => {
    const listener = (event: WheelEvent) => {
      event.preventDefault()
      latest.current(event)
    }
    element?.addEventListener('wheel', listener, { passive: false })
    return () => element?.removeEventListener('wheel', listener)
  }, [element])
}

/** The scale of an image, and the distance of its middle from the middle of the screen. */
export interface View {
  scale: number
  x: number
  y: number
}

interface Point {
  x: number
  y: number
}

interface Size {
  width: number
  height: number
}

export const FITTED: View = { scale: 1, x: 0, y: 0 }
const LARGEST_SCALE = 6

/** Scales by a factor; the point under the fingers, relative to the middle, does not move. */
export function zoomAt({ scale, x, y }: View, factor: number, point: Point): View {
  const next = Math.min(LARGEST_SCALE, Math.max(1, scale * factor))
  const real = next / scale
  return { scale: next, x: point.x - (point.x - x) * real, y: point.y - (point.y - y) * real }
}

export function pan({ scale, x, y }: View, by: Point): View {
  return { scale, x: x + by.x, y: y + by.y }
}

/** The edge of the image never comes inside the edge of the screen. */
export function clampToContainer({ scale, x, y }: View, container: Size, image: Size): View {
  const room = (along: 'width' | 'height') =>
    Math.max(0, (image[along] * scale - container[along]) / 2)
  const within = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value)) + 0
  return { scale, x: within(x, room('width')), y: within(y, room('height')) }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}
