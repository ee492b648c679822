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

// What takes no place: a title of these alone has nothing to see. The empty Braille cell only looks so.
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]/gu

/** What comes along with a text copied from a page or a phone, unseen: breaking hints, and marks of direction. */
const LEFTOVERS = /[\u00AD\u061C\u200B\u200E\u200F\u2060\uFEFF]/g

// What may stand in a line unseen: what chooses between looks of a sign, joins the parts of an emoji, is the flag of a
// country within another, or tells where letters join in scripts that need it.
const UNSEEN_WITH_A_REASON = new RegExp(
  [
    '\\p{Variation_Selector}',
    '(?<=\\p{Extended_Pictographic}(?:\\uFE0F|\\p{Emoji_Modifier})?)\\u200D(?=\\p{Extended_Pictographic})',
    '(?<=\\u{1F3F4})[\\u{E0061}-\\u{E007A}\\u{E0030}-\\u{E0039}]+\\u{E007F}',
    `(?<=[\\p{L}\\p{M}])(?<![${['Latin', 'Greek', 'Cyrillic'].map((script) => `\\p{Script=${script}}`).join('')}])[\\u200C\\u200D](?=[\\p{L}\\p{M}])`,
  ].join('|'),
  'gu',
)

/** Whether a line holds what nobody sees, or what turns around the way the rest of it, and of the page, is read. */
function hasUnseen(line: string): boolean {
  return line.replace(UNSEEN_WITH_A_REASON, '').search(INVISIBLE) !== -1
}

const UNSEEN =
  'Ce texte contient des caractères invisibles ou qui en renversent la lecture. Effacez-le et retapez-le.'

let segmenter: Intl.Segmenter | undefined

/** The signs of a text as they are drawn: « 👩‍👩‍👧 » is one. */
function* signsOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter('fr', { granularity: 'grapheme' })
  for (const { segment } of segmenter.segment(text)) yield segment
}

/** Whether as many signs as this are there for the eye; a space between words counts. */
function hasSigns(text: string, count: number): boolean {
  let seen = 0
  for (const sign of signsOf(text)) {
    if (seen >= count) break
    if (sign.replace(INVISIBLE, '') !== '') seen += 1
  }
  return seen >= count
}

/** Whether a text has anything to see. */
export function isSeen(text: string): boolean {
  return hasSigns(text.replace(/\s/g, ''), 1)
}

export interface TextRules {
  /** Shown to others in one line, where nothing may be hidden or turned around: a title, a place. */
  line?: boolean
  /** The sentence when nothing is written; without it the text may be empty. */
  required?: string
  min?: { length: number; message: string }
  max: { length: number; message: string }
}

/**
 * A text typed by a person: well-formed, NFC, trimmed. It is long enough by what the eye counts, short enough in UTF-16
 * units.
 */
export function typedText({ line = false, required, min, max }: TextRules) {
  return z.string(required ?? 'Texte attendu').check(
    z.refine(isCleanText, { error: UNREADABLE, abort: true }),
    z.overwrite((text) => {
      const typed = line ? text.replaceAll(LEFTOVERS, '') : text
      return typed.replaceAll('\r\n', '\n').normalize('NFC').trim()
    }),
    z.refine((text) => !required || isSeen(text), {
      error: required ?? '',
      abort: true,
    }),
    z.refine((text) => !line || !hasUnseen(text), { error: UNSEEN, abort: true }),
    z.refine((text) => hasSigns(text, min?.length ?? 0), {
      error: min?.message ?? '',
      abort: true,
    }),
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

const INVALID_EMAIL = 'Format email invalide'

/** An address as it is looked up, not written to: something on both sides of an @. */
export function existingEmailAddress(required: string) {
  return z.string(required).check(
    z.overwrite((address) => address.trim().normalize('NFC')),
    z.minLength(1, { error: required, abort: true }),
    z.maxLength(254, { error: INVALID_EMAIL, abort: true }),
    z.regex(/^[^\s\p{Cc}]+@[^\s\p{Cc}]+$/u, INVALID_EMAIL),
  )
}

/** One e-mail address (behaviour.md 5.3), trimmed; case is kept for the delivery. */
export function emailAddress(required: string) {
  const error = INVALID_EMAIL
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

/** A body of which other names of its fields are renamed; the wire name wins over its alias. */
export function renameAliases(body: unknown, aliases: Readonly<Record<string, string>>): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const renamed: Record<string, unknown> = { ...body }
  for (const [alias, name] of Object.entries(aliases)) {
    if (!Object.hasOwn(renamed, alias)) continue
    if (!Object.hasOwn(renamed, name)) renamed[name] = renamed[alias]
    delete renamed[alias]
  }
  return renamed
}
