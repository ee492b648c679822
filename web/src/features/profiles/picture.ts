const SIDE_MAX_PX = 1024
const BYTES_MAX = 1024 * 1024
const QUALITIES = [0.9, 0.8, 0.6] as const

/** A picture of this device, ready to be drawn. */
export interface Picture {
  image: HTMLImageElement
  width: number
  height: number
}

type PictureRead = { picture: Picture } | { error: string }

/** Decodes a chosen file, or answers the sentence of the refusal. */
export async function readPicture(file: File): Promise<PictureRead> {
  const isHeic = /heic|heif/i.test(`${file.type} ${file.name}`)
  if (!file.type.startsWith('image/') && !isHeic) {
    return { error: 'Choisissez une image pour votre photo de profil' }
  }
  const image = new Image()
  image.src = URL.createObjectURL(file)
  try {
    await image.decode()
  } catch {
    releasePicture(image)
    return { error: isHeic ? UNREADABLE_HEIC : UNREADABLE }
  }
  // An SVG without a size answers zero.
  const width = image.naturalWidth || SIDE_MAX_PX
  const height = image.naturalHeight || SIDE_MAX_PX
  return { picture: { image, width, height } }
}

const UNREADABLE =
  'Cette image ne peut pas être lue. Choisissez une photo au format JPEG, PNG, GIF ou WebP.'
const UNREADABLE_HEIC =
  'Votre navigateur ne lit pas les photos HEIC. Enregistrez-la en JPEG, puis choisissez-la de nouveau.'

export function releasePicture(image: HTMLImageElement): void {
  URL.revokeObjectURL(image.src)
}

/** The chosen square as a JPEG of 1 MB at most; undefined when the browser cannot draw it. */
export async function cutPicture(picture: Picture, crop: Crop): Promise<File | undefined> {
  const side = sideOf(picture, crop)
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.min(SIDE_MAX_PX, Math.round(side)))
  canvas.height = canvas.width
  const pen = canvas.getContext('2d')
  if (!pen) return undefined
  // JPEG knows no transparency: what is see-through becomes paper, not black.
  pen.fillStyle = '#fbf6ec'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(
    picture.image,
    crop.centerX - side / 2,
    crop.centerY - side / 2,
    side,
    side,
    0,
    0,
    canvas.width,
    canvas.height,
  )
  for (const quality of QUALITIES) {
    const blob = await toJpeg(canvas, quality)
    if (!blob) return undefined
    if (blob.size <= BYTES_MAX) return new File([blob], 'photo.jpg', { type: 'image/jpeg' })
  }
  return undefined
}

function toJpeg(canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> {
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality))
}

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

/** Moves the square, within the picture. */
export function moved(size: Size, crop: Crop, byX: number, byY: number): Crop {
  return clampToPicture(size, { ...crop, centerX: crop.centerX + byX, centerY: crop.centerY + byY })
}

/** Zooms around a point of the square, from -0.5 to 0.5 of its side, which stays where it is. */
export function zoomed(size: Size, crop: Crop, zoom: number, atX = 0, atY = 0): Crop {
  const next = { ...crop, zoom: between(1, zoom, ZOOM_MAX) }
  const lost = sideOf(size, crop) - sideOf(size, next)
  return moved(size, next, lost * atX, lost * atY)
}

function clampToPicture(size: Size, crop: Crop): Crop {
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
