import type { PublicUser, User } from '#contract/profiles.ts'

const DAY_MS = 86_400_000
export const SESSION_IDLE_MS = 30 * DAY_MS
export const SESSION_LONGEST_MS = 90 * DAY_MS
export const SESSIONS_PER_USER = 20

/** Wrong passwords are counted within it, from the first on. */
export const TRY_WINDOW_MS = 15 * 60_000
/** How many wrong passwords a window allows, and how many networks of an account are known. */
export const TRIES = {
  perAccount: 10,
  perNetwork: 50,
  perKnownNetwork: 10,
  perSession: 10,
  networksKnown: 10,
}
/** A site of IPv6 may do as much as so many of its networks together. */
export const SITE_SHARE = 8
/** How many passwords of one network, and of one site, may be hashed or wait for it at once in a process. */
const HASHES_AT_ONCE = { perNetwork: 2, perSite: 8 }
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

/** A network that last signed in before then is one like any other. */
export function oldestNetwork(now: Date): Date {
  return new Date(now.getTime() - NETWORK_KNOWN_MS)
}

/** Whether a person may be mailed that tries locked their account: strangers decide how often they do. */
export function mayMailLock(lastMailedAt: Date | null, now: Date): boolean {
  return lastMailedAt === null || now.getTime() - lastMailedAt.getTime() >= LOCK_MAIL_EVERY_MS
}

/** An IPv6 customer owns a whole /64: its addresses count as one network. */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip
  if (ip.startsWith('::ffff:')) return ip.slice(7)
  const [head = '', tail = ''] = ip.split('::')
  // However it is written: a proxy may pad with zeros, or shout.
  const groupsOf = (part: string) =>
    part
      .split(':')
      .filter(Boolean)
      .map((group) => Number.parseInt(group, 16).toString(16))
  const left = groupsOf(head)
  const right = groupsOf(tail)
  const zeros = ip.includes('::') ? Array(8 - left.length - right.length).fill('0') : []
  return `${[...left, ...zeros, ...right].slice(0, 4).join(':')}::/64`
}

/** The site that an IPv6 network is part of: whoever is given one calls from 65,536 networks. An IPv4 network has none. */
export function siteOf(network: string): string | undefined {
  const site = network.replace(/:[0-9a-f]+::\/64$/, '::/48')
  return site === network ? undefined : site
}

/** What of the line of hashes those may hold who ask from there. */
export function hashSharesOf(ip: string): { key: string; max: number }[] {
  const network = networkOf(ip)
  const site = siteOf(network)
  const own = { key: network, max: HASHES_AT_ONCE.perNetwork }
  return site ? [own, { key: site, max: HASHES_AT_ONCE.perSite }] : [own]
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

/** What everybody may see of a person: no address. */
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

/** What a person sees of their own account. */
export function presentUser(user: PublicFacts & { email: string; onboardedAt: Date | null }): User {
  return {
    ...presentPublicUser(user),
    email: user.email,
    onboarded: user.onboardedAt !== null,
  }
}
