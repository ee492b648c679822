/** How an image is seen: its scale, and how far its middle is from the middle of the screen. */
export interface View {
  scale: number
  x: number
  y: number
}

export interface Point {
  x: number
  y: number
}

export interface Size {
  width: number
  height: number
}

export const WHOLE: View = { scale: 1, x: 0, y: 0 }
const LARGEST_SCALE = 6

/** Makes the image so many times larger; the point under the fingers, counted from the middle, stays there. */
export function zoomAt({ scale, x, y }: View, factor: number, point: Point): View {
  const next = Math.min(LARGEST_SCALE, Math.max(1, scale * factor))
  const real = next / scale
  return { scale: next, x: point.x - (point.x - x) * real, y: point.y - (point.y - y) * real }
}

export function pan({ scale, x, y }: View, by: Point): View {
  return { scale, x: x + by.x, y: y + by.y }
}

/** Keeps the image on the screen: its edge never leaves the edge of the screen behind. */
export function keepInSight({ scale, x, y }: View, stage: Size, image: Size): View {
  const room = (along: 'width' | 'height') => Math.max(0, (image[along] * scale - stage[along]) / 2)
  const within = (value: number, limit: number) => Math.min(limit, Math.max(-limit, value)) + 0
  return { scale, x: within(x, room('width')), y: within(y, room('height')) }
}

export function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

export function middle(a: Point, b: Point): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}
