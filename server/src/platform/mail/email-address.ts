import { asciiDomain } from '#contract/text.ts'

/** The form under which an address is unique: whatever its case, its domain in letters or in ASCII (`xn--…`). */
export function emailKeyOf(email: string): string {
  const key = email.normalize('NFC').toLowerCase()
  const at = key.lastIndexOf('@')
  const domain = asciiDomain(key.slice(at + 1))
  return at === -1 || !domain ? key : `${key.slice(0, at)}@${domain}`
}

/** « d•••@g•••.com »: enough for the author's friends to guess, not enough to write to. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  const domain = email.slice(at + 1)
  const dot = domain.lastIndexOf('.')
  return `${firstOf(email)}•••@${firstOf(domain)}•••${domain.slice(dot)}`
}

function firstOf(text: string): string {
  return String.fromCodePoint(text.codePointAt(0) ?? 0x2022)
}
