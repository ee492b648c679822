import { type Folder, UPLOAD_MAX_BYTES } from '#contract/media.ts'
import type { FileType } from '#contract/revelations.ts'

const MB = 1024 * 1024

const FOLDERS: Record<FileType, Folder> = {
  video: 'videos',
  image: 'images',
  audio: 'audio',
  document: 'documents',
}

// The names of the accepted types in browsers and systems (behaviour.md 3.4).
const ALLOWED = new Set([
  'video/mp4',
  'video/x-m4v',
  'video/webm',
  'video/ogg',
  'video/avi',
  'video/x-msvideo',
  'video/vnd.avi',
  'video/mov',
  'video/quicktime',
  'image/jpeg',
  'image/jpg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/heic',
  'image/heif',
  'audio/mp3',
  'audio/mpeg',
  'audio/wav',
  'audio/x-wav',
  'audio/wave',
  'audio/vnd.wave',
  'audio/ogg',
  'audio/mp4',
  'audio/m4a',
  'audio/x-m4a',
  'audio/aac',
  'audio/webm',
  'audio/flac',
  'audio/x-flac',
  'application/pdf',
])

/** For systems that do not know the type of a file. */
const TYPES_BY_EXTENSION: Record<string, string> = {
  mp4: 'video/mp4',
  m4v: 'video/mp4',
  webm: 'video/webm',
  ogv: 'video/ogg',
  avi: 'video/x-msvideo',
  mov: 'video/quicktime',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  webp: 'image/webp',
  heic: 'image/heic',
  heif: 'image/heif',
  mp3: 'audio/mpeg',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
  m4a: 'audio/mp4',
  pdf: 'application/pdf',
}

type NamedFile = Pick<File, 'name' | 'type' | 'size'>

function typeOf({ name, type }: NamedFile): string {
  const extension = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return type.split(';')[0] || TYPES_BY_EXTENSION[extension] || ''
}

/** Decided by the media type, as the server does from the bytes. */
export function kindOf(file: NamedFile): FileType {
  const [family = ''] = typeOf(file).split('/')
  return family === 'video' || family === 'image' || family === 'audio' ? family : 'document'
}

export function folderOf(kind: FileType): Folder {
  return FOLDERS[kind]
}

/** Why a file cannot be sent; undefined when it can. */
export function validateFile(file: NamedFile): string | undefined {
  const type = typeOf(file)
  if (!ALLOWED.has(type)) return `Type de fichier non autorisé: ${type || nameEnd(file)}`
  if (file.size === 0) return 'Fichier invalide'
  if (file.size > UPLOAD_MAX_BYTES) return tooLargeSentence(file.size)
  return undefined
}

export function tooLargeSentence(sizeBytes: number): string {
  return `Fichier trop volumineux (${Math.ceil(sizeBytes / MB)} MB). Maximum autorisé: 600MB`
}

function nameEnd({ name }: NamedFile): string {
  const dot = name.lastIndexOf('.')
  return dot > 0 ? name.slice(dot) : 'inconnu'
}
