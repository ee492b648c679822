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

/** A square of a picture, in its own pixels. */
export interface Square {
  left: number
  top: number
  side: number
}

/** The chosen square as a JPEG of 1 MB at most; undefined when the browser cannot draw it. */
export async function cutPicture(
  { image }: Picture,
  { left, top, side }: Square,
): Promise<File | undefined> {
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.min(SIDE_MAX_PX, Math.round(side)))
  canvas.height = canvas.width
  const pen = canvas.getContext('2d')
  if (!pen) return undefined
  // JPEG knows no transparency: what is see-through becomes paper, not black.
  pen.fillStyle = '#fbf6ec'
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(image, left, top, side, side, 0, 0, canvas.width, canvas.height)
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
