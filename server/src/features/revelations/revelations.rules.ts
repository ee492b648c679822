import { VISIBILITIES, type Visibility } from '#contract/revelations.ts'
import type { PersonTie } from '#server/features/relationships/relationships.rules.ts'

/** How a viewer stands to one revelation. */
export interface Tie {
  isAuthor: boolean
  relationship: PersonTie | undefined
  /** By a verified address or the personal key of the delivery. */
  isAddressee: boolean
  /** The same of the second address, who is told apart and is never shown the first. */
  isSecondAddressee: boolean
}

interface Sealed {
  visibility: Visibility
  revealAt: Date
  /** Whether its author chose to tell the addressee before the instant; a second one is told apart. */
  isAddresseeNotified: boolean
  isSecondNotified: boolean
  /** When operators took it out of sight. */
  hiddenAt: Date | null
}

/** Revealed is a matter of the server's clock alone (behaviour.md 4.1). */
export function isRevealed(revelation: { revealAt: Date }, now: Date): boolean {
  return now.getTime() >= revelation.revealAt.getTime()
}

/** Whether the viewer may see that it exists: the access table of behaviour.md 2.2, left of the arrow. */
export function mayKnowOf(tie: Tie, revelation: Sealed, now: Date): boolean {
  if (tie.isAuthor) return true
  // It is private meanwhile, which an addressee could read: nobody sees what is under review.
  if (revelation.hiddenAt !== null) return false
  const { visibility } = revelation
  if (visibility === 'public' && tie.relationship !== 'blocked') return true
  if (tie.relationship === 'family' && visibility !== 'private') return true
  if (tie.relationship === 'friend' && visibility === 'friends') return true
  // A block hides what its author shows, not what was sealed for this very person.
  if (!tie.isAddressee && !tie.isSecondAddressee) return false
  if (isRevealed(revelation, now)) return true
  const isTold =
    (tie.isAddressee && revelation.isAddresseeNotified) ||
    (tie.isSecondAddressee && revelation.isSecondNotified)
  return isTold && visibility !== 'private'
}

/** Whether the viewer may read the letter: its author always, others once it is revealed to them. */
export function mayRead(tie: Tie, revelation: Sealed, now: Date): boolean {
  return tie.isAuthor || (isRevealed(revelation, now) && mayKnowOf(tie, revelation, now))
}

/** Its page, as mails and calendars link to it. */
export function pageOf({ publicUrl }: { publicUrl: string }, revelationId: string): string {
  return `${publicUrl}/revelation/${revelationId}`
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

/** Whether an audience is at most as wide as another. */
export function isNarrowerOrSame(visibility: Visibility, than: Visibility): boolean {
  return VISIBILITIES.indexOf(visibility) >= VISIBILITIES.indexOf(than)
}

/** What the browser asked for: `is_private` is the older way to say it; the narrower of the two is meant. */
export function visibilityOf(input: {
  visibility?: Visibility | undefined
  is_private?: boolean | undefined
}): Visibility | undefined {
  return input.is_private ? 'private' : input.visibility
}
