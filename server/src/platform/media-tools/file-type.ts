import { fileTypeFromBuffer } from 'file-type'
import { isHeic } from './heic.ts'
import { UnreadableMedia } from './media-errors.ts'
import type { Probe } from './probe.ts'

export interface DetectedType {
  mimeType: string
  extension: string
  kind: 'video' | 'image' | 'audio' | 'document'
}

function type(kind: DetectedType['kind'], mimeType: string, extension: string): DetectedType {
  return { mimeType, extension, kind }
}

const MP4 = type('video', 'video/mp4', 'mp4')
const MOV = type('video', 'video/quicktime', 'mov')
const M4A = type('audio', 'audio/mp4', 'm4a')
const WEBM = type('video', 'video/webm', 'webm')
const OGV = type('video', 'video/ogg', 'ogv')
const OGG = type('audio', 'audio/ogg', 'ogg')
const MP3 = type('audio', 'audio/mpeg', 'mp3')
const AAC = type('audio', 'audio/aac', 'aac')
const FLAC = type('audio', 'audio/flac', 'flac')
const PNG = type('image', 'image/png', 'png')
const HEIC = type('image', 'image/heic', 'heic')

/** The accepted types (behaviour.md 3.4): by the name of file-type, the type of the product. */
const ALLOWED: Record<string, DetectedType> = {
  'video/mp4': MP4,
  'video/x-m4v': MP4,
  'video/quicktime': MOV,
  'video/webm': WEBM,
  'video/ogg': OGV,
  'video/vnd.avi': type('video', 'video/x-msvideo', 'avi'),
  'image/jpeg': type('image', 'image/jpeg', 'jpg'),
  'image/png': PNG,
  'image/apng': PNG,
  'image/gif': type('image', 'image/gif', 'gif'),
  'image/webp': type('image', 'image/webp', 'webp'),
  'image/heic': HEIC,
  'image/heif': HEIC,
  'image/heic-sequence': HEIC,
  'image/heif-sequence': HEIC,
  'audio/mpeg': MP3,
  'audio/wav': type('audio', 'audio/wav', 'wav'),
  'audio/ogg': OGG,
  'audio/x-m4a': M4A,
  'audio/mp4': M4A,
  'audio/aac': AAC,
  'audio/flac': FLAC,
  'application/pdf': type('document', 'application/pdf', 'pdf'),
}

/**
 * The type of a file by its first bytes (4,100 or more), if the product accepts it; the name and the type that a browser
 * declares do not count.
 */
export async function detectType(head: Buffer): Promise<DetectedType | undefined> {
  const found = await fileTypeFromBuffer(head)
  const detected = ALLOWED[found?.mime.split(';')[0] ?? '']
  if (detected?.kind === 'document' && !head.subarray(0, 5).equals(Buffer.from('%PDF-'))) {
    return undefined
  }
  // The same container may have pictures that something else compressed.
  if (detected === HEIC && !isHeic(head)) return undefined
  return detected
}

// An ID3 tag may precede mp3, aac and flac: only the bytes after it distinguish them.
const FAMILIES = [
  { containers: ['mov'], extensions: ['mp4', 'mov', 'm4a'] },
  { containers: ['matroska'], extensions: ['webm'] },
  { containers: ['avi'], extensions: ['avi'] },
  { containers: ['ogg'], extensions: ['ogv', 'ogg'] },
  { containers: ['wav'], extensions: ['wav'] },
  { containers: ['mp3', 'aac', 'flac'], extensions: ['mp3', 'aac', 'flac'] },
]

/**
 * Corrects the type by the content (only sound in a webm, a film in an ogg). Throws `UnreadableMedia` when ffprobe finds
 * another container than the first bytes declare.
 */
export function settleType(detected: DetectedType, probe: Probe): DetectedType {
  const container = probe.container.split(',')[0] ?? ''
  const family = FAMILIES.find((one) => one.containers.includes(container))
  if (!family?.extensions.includes(detected.extension)) {
    throw new UnreadableMedia(`The file says ${detected.mimeType} and holds ${probe.container}`)
  }
  if (probe.kind === 'video') {
    if (container === 'mov') return detected.mimeType === MOV.mimeType ? MOV : MP4
    if (container === 'ogg') return OGV
    return { ...detected, kind: 'video' }
  }
  const sounds: Record<string, DetectedType> = {
    mov: M4A,
    ogg: OGG,
    mp3: MP3,
    aac: AAC,
    flac: FLAC,
  }
  if (container === 'matroska') return type('audio', 'audio/webm', 'webm')
  return sounds[container] ?? { ...detected, kind: 'audio' }
}
