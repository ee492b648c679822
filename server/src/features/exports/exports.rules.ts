import { receiptName } from '#contract/receipts.ts'

/** Longer ones fit no disk: 255 bytes, of which a character takes three. */
const NAME_MAX_LENGTH = 80
// What Windows refuses, and what would change folder or turn text around.
const UNSAFE = /[<>:"/\\|?*\p{Cc}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

/**
 * Where a file stands in the archive: unique by its number, and a name that every system takes. What a verifier would find
 * to be another file than was sealed stands apart.
 */
export function archivePath(number: number, name: string, isSealed = true): string {
  return `${isSealed ? 'fichiers' : 'copies'}/${String(number).padStart(4, '0')}-${safeName(name)}`
}

/** What the proofs of an archive are checked with, without a network. */
export const VERIFIER_PATH = 'verificateur.html'
/** The specification of their format. */
export const FORMAT_PATH = 'format-de-preuve.md'

/** Where the proof of a revelation stands in the archive. */
export function proofPathOf(id: string): string {
  return `preuves/preuve-${id}.json`
}

/** The same of its receipt. */
export function receiptPathOf(id: string): string {
  return `recus/${receiptName(id)}`
}

/** The name that a letter is saved under. */
export function letterArchiveName(title: string): string {
  return `${safeName(title)}.zip`
}

function safeName(name: string): string {
  const clean = name.toWellFormed().normalize('NFC').replaceAll(UNSAFE, '_')
  const dot = clean.lastIndexOf('.')
  const extension = dot > 0 && clean.length - dot <= 10 ? clean.slice(dot) : ''
  const stem = clean.slice(0, clean.length - extension.length).slice(0, NAME_MAX_LENGTH - 10)
  // A pair cut in the middle would leave half a character; Windows drops dots and spaces at the end.
  const whole = `${stem.replace(/[\uD800-\uDBFF]$/, '')}${extension}`.replace(/[. ]+$/, '')
  return whole === '' ? 'fichier' : whole
}

/** The address of a file beside the page, as a browser reads it from the disk. */
export function hrefOf(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/')
}
