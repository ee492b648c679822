/** A square of a picture, in its own pixels. `zoom` 1 is the largest square there is. */
export interface Crop {
  centerX: number
  centerY: number
  zoom: number
}

export interface Size {
  width: number
  height: number
}

export const ZOOM_MAX = 5

export function wholeSquare({ width, height }: Size): Crop {
  return { centerX: width / 2, centerY: height / 2, zoom: 1 }
}

/** The side of the square, in pixels of the picture. */
export function sideOf({ width, height }: Size, { zoom }: Crop): number {
  return Math.min(width, height) / zoom
}

/** Slides the square over the picture; it never leaves it. */
export function moved(size: Size, crop: Crop, byX: number, byY: number): Crop {
  return kept(size, { ...crop, centerX: crop.centerX + byX, centerY: crop.centerY + byY })
}

/** Zooms around a point of the square, given from -0.5 to 0.5 of its side: what is under the finger stays there. */
export function zoomed(size: Size, crop: Crop, zoom: number, atX = 0, atY = 0): Crop {
  const next = { ...crop, zoom: between(1, zoom, ZOOM_MAX) }
  const lost = sideOf(size, crop) - sideOf(size, next)
  return moved(size, next, lost * atX, lost * atY)
}

function kept(size: Size, crop: Crop): Crop {
  const half = sideOf(size, crop) / 2
  return {
    zoom: crop.zoom,
    centerX: between(half, crop.centerX, size.width - half),
    centerY: between(half, crop.centerY, size.height - half),
  }
}

function between(low: number, value: number, high: number): number {
  return Math.min(high, Math.max(low, value))
}
