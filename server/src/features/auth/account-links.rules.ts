const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export type LinkKind = 'verify_email' | 'change_email' | 'reset_password'

/** A mail about a link is tried for three days and reads it each time. */
export const ENDED_LINK_KEPT_MS = 7 * DAY_MS

const LASTS_MS: Record<LinkKind, number> = {
  verify_email: 24 * HOUR_MS,
  change_email: 24 * HOUR_MS,
  reset_password: 30 * MINUTE_MS,
}

export function linkExpiry(kind: LinkKind, now: Date): Date {
  return new Date(now.getTime() + LASTS_MS[kind])
}

/** How long the last link of a kind is good for once no other may be mailed: nobody is kept out by too many of them. */
export const LAST_LINK_MS = 24 * HOUR_MS
