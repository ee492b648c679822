import type { Visibility } from '#contract/revelations.ts'

/**
 * The table of behaviour.md 2.2; « 404* » is the envelope for a recipient who was notified. A block hides the letters its
 * author shares, never those sealed for the blocked person.
 */
const TABLE = {
  visitor: row('envelope → letter', '404', '404', '404'),
  stranger: row('envelope → letter', '404', '404', '404'),
  friend: row('envelope → letter', 'envelope → letter', '404', '404'),
  family: row('envelope → letter', 'envelope → letter', 'envelope → letter', '404'),
  recipient: row('envelope → letter', '404* → letter', '404* → letter', '404 → letter'),
  'second recipient': row('envelope → letter', '404* → letter', '404* → letter', '404 → letter'),
  'recipient not verified': row('envelope → letter', '404', '404', '404'),
  'bearer of the key': row('envelope → letter', '404* → letter', '404* → letter', '404 → letter'),
  'account that joined it': row(
    'envelope → letter',
    '404* → letter',
    '404* → letter',
    '404 → letter',
  ),
  'account whose link was revoked': row('envelope → letter', '404', '404', '404'),
  blocked: row('404', '404', '404', '404'),
  'recipient who is blocked': row(
    '404* → letter',
    '404* → letter',
    '404* → letter',
    '404 → letter',
  ),
  author: row('letter', 'letter', 'letter', 'letter'),
}

function row(forPublic: string, friends: string, family: string, forPrivate: string) {
  return { public: forPublic, friends, family, private: forPrivate }
}

export type Viewer = keyof typeof TABLE
export const VIEWERS = Object.keys(TABLE) as Viewer[]

/** Whether the author blocked this viewer. */
export function isBlocked(viewer: Viewer): boolean {
  return viewer === 'blocked' || viewer === 'recipient who is blocked'
}

/** Accounts that a letter is addressed to. */
export const ADDRESSEES: readonly Viewer[] = [
  'recipient',
  'second recipient',
  'recipient who is blocked',
]

/** They, and accounts that joined it by its link. */
export const RECEIVERS: readonly Viewer[] = [...ADDRESSEES, 'account that joined it']

/** Who may answer a letter once it is open. */
export const WRITERS: readonly Viewer[] = [...RECEIVERS, 'bearer of the key']

/** A revelation at the instant of a call. */
export interface Subject {
  visibility: Visibility
  isNotified: boolean
  isRevealed: boolean
  /** Hidden by an operator: visible to its author alone. */
  isHidden: boolean
}

export function expectedView(viewer: Viewer, subject: Subject): 'nothing' | 'envelope' | 'letter' {
  if (subject.isHidden) return viewer === 'author' ? 'letter' : 'nothing'
  const [before = '', after = before] = TABLE[viewer][subject.visibility].split(' → ')
  const cell = subject.isRevealed ? after : before
  if (cell === '404*') return subject.isNotified ? 'envelope' : 'nothing'
  return cell === '404' ? 'nothing' : (cell as 'envelope' | 'letter')
}

/** Lists show public revelations and those of one’s circle; a recipient reaches a letter by its own link. */
const LISTED_TO: Record<Visibility, readonly Viewer[]> = {
  public: VIEWERS.filter((viewer) => !isBlocked(viewer)),
  friends: ['friend', 'family', 'author'],
  family: ['family', 'author'],
  private: ['author'],
}

/** `home`: never family. `profile`: of another person, public and revealed ones only. */
export function isListed(
  viewer: Viewer,
  { visibility, isRevealed }: Subject,
  scope: 'home' | 'profile' | Visibility,
): boolean {
  if (isBlocked(viewer)) return false
  if (scope === 'profile') return viewer === 'author' || (visibility === 'public' && isRevealed)
  if (scope === 'home' ? visibility === 'family' : visibility !== scope) return false
  return LISTED_TO[visibility].includes(viewer)
}
