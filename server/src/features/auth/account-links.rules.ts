const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

export type LinkKind = 'verify_email' | 'change_email' | 'reset_password'

/** Links are counted within it. */
export const LINK_WINDOW_MS = HOUR_MS
const LINKS_PER_WINDOW = 3

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

/** Whether one more link may be mailed after these. Nobody asked for the one that a new account was mailed. */
export function mayMailLink(
  recent: number,
  { kind, isNew }: { kind: LinkKind; isNew: boolean },
): boolean {
  const unasked = kind === 'verify_email' && isNew ? 1 : 0
  return recent < LINKS_PER_WINDOW + unasked
}
