import * as z from 'zod/mini'

// PostgreSQL refuses NUL, and the other control characters or half a surrogate pair have no place in
// what people write. Line feed and tabulation stay.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const FORBIDDEN_CHARACTERS = /[\u0000-\u0008\u000B-\u001F\u007F]/

function isCleanText(text: string): boolean {
  // The line ends of Windows are rewritten below.
  return text.isWellFormed() && !FORBIDDEN_CHARACTERS.test(text.replaceAll('\r\n', '\n'))
}

const UNREADABLE = 'Ce texte contient des caractères illisibles'

export interface TextRules {
  /** The sentence when nothing is written; without it the text may be empty. */
  required?: string
  min?: { length: number; message: string }
  max: { length: number; message: string }
}

/** A text typed by a person: well-formed, NFC, trimmed, its length counted in UTF-16 units. */
export function typedText({ required, min, max }: TextRules) {
  return z.string(required ?? 'Texte attendu').check(
    z.refine(isCleanText, { error: UNREADABLE, abort: true }),
    z.overwrite((text) => text.replaceAll('\r\n', '\n').normalize('NFC').trim()),
    z.minLength(required ? 1 : 0, { error: required ?? '', abort: true }),
    z.minLength(min?.length ?? 0, { error: min?.message ?? '', abort: true }),
    z.maxLength(max.length, { error: max.message, abort: true }),
  )
}

// One address and nothing else: no comma, quote, comment or angle bracket ever reaches a mail server.
const EMAIL =
  /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:\p{L}{2,63}|xn--[A-Za-z0-9-]{2,59})$/u

const DOMAIN_LABEL_MAX_LENGTH = 63

/** A domain as mail servers know it: `élan.fr` is `xn--lan-9la.fr` to them. Undefined when it is none. */
export function asciiDomain(domain: string): string | undefined {
  if (!/^[\p{L}\p{N}.-]+$/u.test(domain)) return undefined
  try {
    return new URL(`http://${domain}`).hostname
  } catch {
    return undefined
  }
}

function hasMailDomain(address: string): boolean {
  const domain = asciiDomain(address.slice(address.lastIndexOf('@') + 1))
  return domain?.split('.').every(({ length }) => length <= DOMAIN_LABEL_MAX_LENGTH) ?? false
}

/** One e-mail address (decisions §2), trimmed; case is kept for the delivery. */
export function emailAddress(required: string) {
  const error = 'Format email invalide'
  return z.string(required).check(
    z.overwrite((address) => address.trim().normalize('NFC')),
    z.minLength(1, { error: required, abort: true }),
    z.maxLength(254, { error, abort: true }),
    z.regex(EMAIL, { error, abort: true }),
    z.refine((address) => address.indexOf('@') <= 64 && hasMailDomain(address), { error }),
  )
}

/** An id, in lower case as it is stored: the same thing has one address. */
export const idSchema = z
  .uuid({ version: 'v4', error: 'Identifiant invalide' })
  .check(z.toLowerCase())
export const instantSchema = z.iso.datetime()
export const successSchema = z.object({ success: z.literal(true) })
