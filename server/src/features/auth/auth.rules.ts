import type { PublicUser, User } from '#contract/profiles.ts'

const DAY_MS = 86_400_000
export const SESSION_IDLE_MS = 30 * DAY_MS
export const SESSION_LONGEST_MS = 90 * DAY_MS
export const SESSIONS_PER_USER = 20

/** The window in which wrong passwords are counted, from the first on. */
export const TRY_WINDOW_MS = 15 * 60_000
/** How many wrong passwords a window allows, and how many networks of an account are known. */
export const TRIES = {
  perAccount: 10,
  perNetwork: 50,
  perKnownNetwork: 10,
  perSession: 10,
  networksKnown: 10,
}
const NETWORK_KNOWN_MS = 90 * DAY_MS
const LOCK_MAIL_EVERY_MS = DAY_MS

/** The form under which a pseudo is unique, whatever its case. */
export function pseudoKeyOf(pseudo: string): string {
  return pseudo.normalize('NFKC').toLowerCase()
}

/** When a session used now would end: idle for 30 days, or 90 days old. */
export function sessionExpiry(createdAt: Date, now: Date): Date {
  return new Date(
    Math.min(now.getTime() + SESSION_IDLE_MS, createdAt.getTime() + SESSION_LONGEST_MS),
  )
}

/** Each request would otherwise be a write: five minutes is exact enough for « last seen ». */
export function shouldTouchSession(lastSeenAt: Date, now: Date): boolean {
  return now.getTime() - lastSeenAt.getTime() > 5 * 60_000
}

/** The instant since when a network must have signed in to be known. */
export function oldestNetwork(now: Date): Date {
  return new Date(now.getTime() - NETWORK_KNOWN_MS)
}

/** Limits mails about a locked account, because strangers decide how often it is locked. */
export function canMailLock(lastMailedAt: Date | null, now: Date): boolean {
  return lastMailedAt === null || now.getTime() - lastMailedAt.getTime() >= LOCK_MAIL_EVERY_MS
}

/** « Firefox · Linux »: enough for a person to recognise a device, not enough to follow one. */
export function deviceOf(userAgent: string | undefined): string {
  if (!userAgent) return 'Appareil inconnu'
  const browser =
    /(Firefox|Edg|OPR|Chrome|Safari)\//
      .exec(userAgent)?.[1]
      ?.replace('Edg', 'Edge')
      .replace('OPR', 'Opera') ?? 'Navigateur'
  const system = /(iPhone|iPad|Android|Windows|Mac OS|Linux)/.exec(userAgent)?.[1]
  return system ? `${browser} · ${system}` : browser
}

/** The facts of a person that everybody may see: no address. */
export interface PublicFacts {
  id: string
  pseudo: string
  avatarUrl: string | null
  bio: string
  location: string
  website: string
  emailVerifiedAt: Date | null
  createdAt: Date
}

export function presentPublicUser(user: PublicFacts): PublicUser {
  return {
    id: user.id,
    pseudo: user.pseudo,
    avatar_url: user.avatarUrl,
    bio: user.bio,
    location: user.location,
    website: user.website,
    email_verified: user.emailVerifiedAt !== null,
    created_at: user.createdAt.toISOString(),
  }
}

/** A person’s own account. */
export function presentUser(user: PublicFacts & { email: string; onboardedAt: Date | null }): User {
  return {
    ...presentPublicUser(user),
    email: user.email,
    onboarded: user.onboardedAt !== null,
  }
}
