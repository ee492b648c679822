const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TO_ONE_ADDRESS = 5
const FROM_UNPROVED = 2
const LINKS_TO_ONE_ADDRESS = 3

/**
 * What is counted together (decisions §2). `letters`: what somebody writes to an address; `news`: what an account hears of
 * itself; `safety`: what happened to its password or its address.
 */
export type MailClass = 'letters' | 'news' | 'safety'

/** Links of accounts: those that prove an address, and those that let choose another password. */
export type LinkClass = 'links' | 'resets'

/** Mails counted before it no longer count. */
export function startOfMailDay(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

export interface CountedMail {
  senderHash: Buffer | null
  countedAt: Date
}

/**
 * The instant at which one more mail of a class may leave to an address, after those of the last 24 hours, the oldest
 * first; `now` or before when it may leave at once. Beyond five they leave together, once an hour; somebody whose own
 * address is not proved has two a day.
 */
export function mayLeaveFrom(
  counted: readonly CountedMail[],
  { senderHash, isProved, now }: { senderHash: Buffer | null; isProved: boolean; now: Date },
): Date {
  const last = counted.at(-1)
  const own = counted.filter((mail) => senderHash && mail.senderHash?.equals(senderHash))
  const inTheWay = isProved ? undefined : own.at(-FROM_UNPROVED)
  return new Date(
    Math.max(
      now.getTime(),
      counted.length >= TO_ONE_ADDRESS && last ? last.countedAt.getTime() + HOUR_MS : 0,
      inTheWay ? inTheWay.countedAt.getTime() + DAY_MS : 0,
    ),
  )
}

/**
 * Whether one more link may be mailed to an address after these of the last 24 hours, from all accounts. One of the three
 * is kept for choosing a password: whoever gives the address of somebody else keeps nobody out of their account.
 */
export function mayMailLink(
  counts: { links: number; resets: number },
  linkClass: LinkClass,
): boolean {
  if (counts.links + counts.resets >= LINKS_TO_ONE_ADDRESS) return false
  return linkClass === 'resets' || counts.links < LINKS_TO_ONE_ADDRESS - 1
}
