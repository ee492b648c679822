import type { FileType } from '#contract/revelations.ts'
import { folderOf, type MediaVariant } from './media.rules.ts'

/** The id of a file and the type of its bytes name it. */
export interface NamedFile {
  id: string
  kind: FileType
  extension: string
}

const ID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'
const SOME_ID = new RegExp(ID)
const NAME = new RegExp(`^(mobile_|copy_|teaser_|seekable_)?(${ID})\\.([a-z0-9]{2,4})$`)
const PATH = new RegExp(`^(?:/api/secure-file/)?([a-z]+/${ID}\\.[a-z0-9]{2,4})(?:\\?.*)?$`)

export function isMediaId(text: string): boolean {
  return new RegExp(`^${ID}$`).test(text)
}

/** A waveform has no address of its own: it is read through its voice message. */
export type AddressedVariant = Exclude<MediaVariant, 'waveform'>

/** The address of a variant, without its ticket. */
export function urlOf(file: NamedFile, variant: AddressedVariant): string {
  switch (variant) {
    case 'original':
      return `/api/secure-file/${pathOf(file)}`
    case 'mobile':
      return `/api/secure-file/videos/mobile_${file.id}.mp4`
    case 'image':
      return `/api/secure-file/images/mobile_${file.id}.webp`
    case 'copy':
      return `/api/secure-file/images/copy_${file.id}.${copyExtension(file.extension)}`
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

/** The extension of the copy of a picture, which has the type of the original wherever browsers show that. */
function copyExtension(extension: string): string {
  return extension === 'heic' ? 'jpg' : extension
}

/** `videos/<id>.mp4`: the name of a file for its sender. */
export function pathOf(file: NamedFile): string {
  return `${folderOf(file.kind)}/${file.id}.${file.extension}`
}

/** The file that a client names by the `url` or the `path` of its upload; it may not exist. */
export function readPath(text: string): { mediaId: string; path: string } | undefined {
  const path = PATH.exec(text)?.[1]
  if (!path) return undefined
  return { mediaId: path.slice(path.indexOf('/') + 1, path.lastIndexOf('.')), path }
}

/** The file that an address is of, whichever the variant; it may not exist. */
export function fileIdIn(address: string): string | undefined {
  return SOME_ID.exec(address)?.[0]
}

interface Address {
  mediaId: string
  variant: AddressedVariant
  extension: string
}

/** The file and variant of an address. `folder` is one of secure-file's, `thumbnail` or `listen`. */
export function readAddress(folder: string, name: string): Address | undefined {
  const [, prefix = '', mediaId = '', extension = ''] = NAME.exec(name) ?? []
  const variant = mediaId && variantAt(`${folder}/${prefix}`, extension)
  return variant ? { mediaId, variant, extension } : undefined
}

function variantAt(prefixedFolder: string, extension: string): AddressedVariant | undefined {
  switch (prefixedFolder) {
    case 'videos/':
    case 'images/':
    case 'audio/':
    case 'documents/':
      return 'original'
    case 'videos/mobile_':
      return 'mobile'
    case 'images/mobile_':
      return 'image'
    case 'images/copy_':
      return 'copy'
    case 'audio/seekable_':
      return 'seekable'
    case 'teasers/teaser_':
      return 'teaser'
    case 'thumbnail/teaser_':
      return 'thumbnail_teaser'
    case 'thumbnail/':
      return 'thumbnail_complete'
    case 'listen/':
      // Older clients rewrite the address of an original recording to this folder.
      return extension === 'm4a' ? 'audio' : 'original'
  }
  return undefined
}

const NAME_MAX_LENGTH = 200
// Control characters, characters that change the direction of text, and separators of folders.
const UNSAFE = /[\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069\\/]/gu

/** A person's name for a file, as it can be stored and shown: well-formed, NFC, one line, never a path. */
export function cleanName(name: string | undefined, extension: string): string {
  const clean = (name ?? '').toWellFormed().normalize('NFC').replaceAll(UNSAFE, '').trim()
  const visible = clean.replace(/^\.+/, '').trim()
  if (visible === '') return `fichier.${extension}`
  return shorten(visible)
}

function shorten(name: string): string {
  if (name.length <= NAME_MAX_LENGTH) return name
  const dot = name.lastIndexOf('.')
  const suffix = dot > 0 && name.length - dot <= 10 ? name.slice(dot) : ''
  const start = name.slice(0, NAME_MAX_LENGTH - suffix.length)
  // A pair cut in the middle would leave half a character.
  return `${start.replace(/[\uD800-\uDBFF]$/, '')}${suffix}`
}

/** The name of a download: the true one, with the extension of the variant that is sent. */
export function downloadName(name: string, extension: string): string {
  const dot = name.lastIndexOf('.')
  const hasExtension = dot > 0 && name.length - dot <= 6
  const current = hasExtension ? name.slice(dot + 1).toLowerCase() : ''
  if (current === extension || (current === 'jpeg' && extension === 'jpg')) return name
  return `${hasExtension ? name.slice(0, dot) : name}.${extension}`
}

// A year, a month and a day as phones, cameras and messengers write them into the names of pictures.
const DATED = /(?<!\d)(?:19|20)\d{2}([-_. ]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])/

/** The name of a picture for whoever is not its author: that of its copy, and none that says when it was taken. */
export function copyName(name: string, extension: string): string {
  return downloadName(DATED.test(name) ? 'image' : name, copyExtension(extension))
}

/** `Content-Disposition` of a download (RFC 6266): plain for old programs, exact for the others. */
export function formatAttachment(name: string): string {
  const plain = name.replaceAll(/[^\x20-\x7E]|["%\\]/g, '_')
  const exact = encodeURIComponent(name).replaceAll(
    /['()*!]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`
}
