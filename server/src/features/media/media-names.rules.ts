import type { FileType } from '#contract/revelations.ts'
import { folderOf, type MediaVariant } from './media.rules.ts'

/** What names a file: its id, and the type its bytes have. */
export interface NamedFile {
  id: string
  kind: FileType
  extension: string
}

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const NAME = new RegExp(`^(mobile_|teaser_|seekable_)?(${ID})\\.([a-z0-9]{2,4})$`)
const PATH = new RegExp(`^(?:/api/secure-file/)?([a-z]+/${ID}\\.[a-z0-9]{2,4})(?:\\?.*)?$`)

export function isMediaId(text: string): boolean {
  return new RegExp(`^${ID}$`).test(text)
}

/** What has an address of its own; a waveform is read through what it belongs to. */
export type AddressedVariant = Exclude<MediaVariant, 'waveform'>

/** Where a variant is read, without its ticket. */
export function urlOf(file: NamedFile, variant: AddressedVariant): string {
  switch (variant) {
    case 'original':
      return `/api/secure-file/${pathOf(file)}`
    case 'mobile':
      return `/api/secure-file/videos/mobile_${file.id}.mp4`
    case 'image':
      return `/api/secure-file/images/mobile_${file.id}.webp`
    case 'teaser':
      return `/api/secure-file/teasers/teaser_${file.id}.mp4`
    case 'thumbnail_teaser':
      return `/api/thumbnail/teaser_${file.id}.webp`
    case 'thumbnail_complete':
      return `/api/thumbnail/${file.id}.webp`
    case 'audio':
      return `/api/audio/${file.id}.m4a`
    case 'seekable':
      return `/api/secure-file/audio/seekable_${file.id}.${file.extension}`
  }
}

/** `videos/<id>.mp4`: how the program that sent a file names it. */
export function pathOf(file: NamedFile): string {
  return `${folderOf(file.kind)}/${file.id}.${file.extension}`
}

/** The file a client names by the `url` or the `path` of its upload; whether it exists is another matter. */
export function readPath(text: string): { mediaId: string; path: string } | undefined {
  const path = PATH.exec(text)?.[1]
  if (!path) return undefined
  return { mediaId: path.slice(path.indexOf('/') + 1, path.lastIndexOf('.')), path }
}

interface Address {
  mediaId: string
  variant: AddressedVariant
  extension: string
}

/** What the address of a file asks for. `folder` is one of secure-file's, `thumbnail` or `listen`. */
export function readAddress(folder: string, name: string): Address | undefined {
  const [, prefix = '', mediaId = '', extension = ''] = NAME.exec(name) ?? []
  const variant = mediaId && variantAt(`${folder}/${prefix}`, extension)
  return variant ? { mediaId, variant, extension } : undefined
}

function variantAt(place: string, extension: string): AddressedVariant | undefined {
  switch (place) {
    case 'videos/':
    case 'images/':
    case 'audio/':
    case 'documents/':
      return 'original'
    case 'videos/mobile_':
      return 'mobile'
    case 'images/mobile_':
      return 'image'
    case 'audio/seekable_':
      return 'seekable'
    case 'teasers/teaser_':
      return 'teaser'
    case 'thumbnail/teaser_':
      return 'thumbnail_teaser'
    case 'thumbnail/':
      return 'thumbnail_complete'
    case 'listen/':
      // Older clients rewrite the address of a sound's original to this door.
      return extension === 'm4a' ? 'audio' : 'original'
  }
  return undefined
}

const NAME_MAX_LENGTH = 200
// Control characters, what turns the direction of text around, and what separates folders.
const UNSAFE = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069\\/]/gu

/** The name a person gave, as it can be kept and shown: well-formed, NFC, one line, never a path. */
export function cleanName(given: string | undefined, extension: string): string {
  const clean = (given ?? '').toWellFormed().normalize('NFC').replaceAll(UNSAFE, '').trim()
  const name = clean.replace(/^\.+/, '').trim()
  if (name === '') return `fichier.${extension}`
  return shorten(name)
}

function shorten(name: string): string {
  if (name.length <= NAME_MAX_LENGTH) return name
  const dot = name.lastIndexOf('.')
  const suffix = dot > 0 && name.length - dot <= 10 ? name.slice(dot) : ''
  const kept = name.slice(0, NAME_MAX_LENGTH - suffix.length)
  // A pair cut in the middle would leave half a character.
  return `${kept.replace(/[\uD800-\uDBFF]$/, '')}${suffix}`
}

/** The name of a download: the true one, with the extension of what is really sent. */
export function downloadName(name: string, extension: string): string {
  const dot = name.lastIndexOf('.')
  const hasExtension = dot > 0 && name.length - dot <= 6
  const given = hasExtension ? name.slice(dot + 1).toLowerCase() : ''
  if (given === extension || (given === 'jpeg' && extension === 'jpg')) return name
  return `${hasExtension ? name.slice(0, dot) : name}.${extension}`
}

/** `Content-Disposition` of a download (RFC 6266): plain for old programs, exact for the others. */
export function attachmentNamed(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7E]|["%\\]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
