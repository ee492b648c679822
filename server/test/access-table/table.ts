import type { Visibility } from '#contract/revelations.ts'

/**
 * The table of behaviour.md 2.2, as it stands there; « 404* » is the envelope for an addressee who
 * was told. A block hides what its author shows, never what was sealed for this very person.
 */
const TABLE = {
  visitor: row('envelope → letter', '404', '404', '404'),
  stranger: row('envelope → letter', '404', '404', '404'),
  friend: row('envelope → letter', 'envelope → letter', '404', '404'),
  family: row('envelope → letter', 'envelope → letter', 'envelope → letter', '404'),
  addressee: row('envelope → letter', '404* → letter', '404* → letter', '404 → letter'),
  'second addressee': row('envelope → letter', '404* → letter', '404* → letter', '404 → letter'),
  'addressee not verified': row('envelope → letter', '404', '404', '404'),
  'bearer of the key': row('envelope → letter', '404* → letter', '404* → letter', '404 → letter'),
  blocked: row('404', '404', '404', '404'),
  'addressee who is blocked': row(
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

/** Whom the author blocked. */
export function isBlocked(viewer: Viewer): boolean {
  return viewer === 'blocked' || viewer === 'addressee who is blocked'
}

/** What is asked about, at the instant of asking. */
export interface Subject {
  visibility: Visibility
  isNotified: boolean
  isRevealed: boolean
  /** Operators hide it: it is private, and its author’s alone. */
  isHidden: boolean
}

export function sightOf(viewer: Viewer, subject: Subject): 'nothing' | 'envelope' | 'letter' {
  if (subject.isHidden) return viewer === 'author' ? 'letter' : 'nothing'
  const [before = '', after = before] = TABLE[viewer][subject.visibility].split(' → ')
  const cell = subject.isRevealed ? after : before
  if (cell === '404*') return subject.isNotified ? 'envelope' : 'nothing'
  return cell === '404' ? 'nothing' : (cell as 'envelope' | 'letter')
}

/** Lists show what is public or of one’s circle; an addressee finds what was sent to them by its own link. */
const LISTED_TO: Record<Visibility, readonly Viewer[]> = {
  public: VIEWERS.filter((viewer) => !isBlocked(viewer)),
  friends: ['friend', 'family', 'author'],
  family: ['family', 'author'],
  private: ['author'],
}

/** `home`: never family. `profile`: of another person, what is public and revealed. */
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
