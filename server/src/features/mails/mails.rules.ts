import type { STOPPABLE } from '#contract/mail-links.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const RETRIED_FOR_MS = 3 * DAY_MS

/** Why a mail did not leave; `suppressed`: its address accepts no mail. */
export type Failure =
  | 'bad_address'
  | 'busy'
  | 'refused'
  | 'unreachable'
  | 'unexpected'
  | 'suppressed'

/** What the link in a mail’s footer may stop. */
export type Stoppable = (typeof STOPPABLE)[number]

/** `nothing` is for the account’s own safety, and for what its reader turns on and off elsewhere. */
export type Stops = 'nothing' | Stoppable

/** An address that does not exist is not tried again; anything else for three days from the first try. */
export function isLastTry(failure: Failure, firstTriedAt: Date, now: Date): boolean {
  if (failure === 'bad_address' || failure === 'suppressed') return true
  return now.getTime() - firstTriedAt.getTime() >= RETRIED_FOR_MS
}

/** How many mails a minute leave for a domain that asked for patience, and how many it accepted since. */
interface Pace {
  perMinute: number
  accepted: number
}

/** A domain that asked for patience, and whose turn it is among its mails (behaviour.md 5.2). */
export interface SlowDomain extends Pace {
  /** Of a job; null between two turns. */
  turnId: string | null
  /** When the last turn began. */
  turnAt: Date
}

const FASTEST = 120
const SLOWEST = 1
const FASTER_BY = 30
const SLOWER_TO = 4 / 5
const QUICK_AFTER = 20

export function slowDown({ perMinute }: Pick<Pace, 'perMinute'>): Pace {
  return { perMinute: Math.max(SLOWEST, perMinute * SLOWER_TO), accepted: 0 }
}

/** The pace of a domain that asks for patience for the first time. */
export const FIRST_PACE: Pace = slowDown({ perMinute: FASTEST })

export function speedUp({ perMinute, accepted }: Pace): Pace {
  return { perMinute: Math.min(FASTEST, perMinute + FASTER_BY), accepted: accepted + 1 }
}

/** Whether its mails need no turns any more. */
export function isQuick({ accepted }: Pace): boolean {
  return accepted >= QUICK_AFTER
}

const MINUTE_MS = 60_000
/** Longer than any try: whoever had the turn until then is gone. */
const TURN_MS = 3 * MINUTE_MS

export function nextTurnAt({ turnId, turnAt, perMinute }: SlowDomain): Date {
  const waitMs = turnId === null ? MINUTE_MS / perMinute : TURN_MS
  return new Date(turnAt.getTime() + waitMs)
}

/**
 * A mail that its domain puts off stays before the others for a minute: for longer it may itself be the reason, and lets them
 * pass. Only then is it told of as late.
 */
export function firstPassedAt(now: Date): Date {
  return new Date(now.getTime() - MINUTE_MS)
}

/** Whatever was counted before it counts no longer. */
export function startOfWindow(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

const TO_ONE_ADDRESS = 5
const FROM_UNVERIFIED = 2
const LINKS_TO_ONE_ADDRESS = 3

/**
 * Mails that are counted together (behaviour.md 5.4). `letters`: what somebody writes to an address; `news`: what an account
 * learns of its own things; `safety`: what happened to its password or its address.
 */
export type MailClass = 'letters' | 'news' | 'safety'

/** Links of accounts: those that verify an address, and those that reset a password. */
export type LinkClass = 'links' | 'resets'

/**
 * The mailbox behind an address, for counting alone: what follows a « + », and the dots of Gmail, make another address of
 * the same mailbox. Aliases under any other rule count as two mailboxes.
 */
export function mailboxKeyOf(emailKey: string): string {
  const at = emailKey.lastIndexOf('@')
  const [name = ''] = emailKey.slice(0, at).split('+')
  const domain = emailKey.slice(at + 1)
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

/** Until when a mail waits, and why: the count of its address, or that of a sender whose own address is not verified. */
export interface Postponement {
  until: Date
  reason: 'address' | 'sender'
}

export interface CountedMail {
  senderHash: Buffer | null
  countedAt: Date
}

/**
 * The postponement of one more mail of a class to a mailbox, after those of the last 24 hours, the oldest first; undefined
 * when it may leave at once. Beyond five they leave together, once an hour; an unverified sender has two a day.
 */
export function postponementOf(
  counted: readonly CountedMail[],
  { senderHash, isVerified, now }: { senderHash: Buffer | null; isVerified: boolean; now: Date },
): Postponement | undefined {
  const last = counted.at(-1)
  const own = counted.filter((mail) => senderHash && mail.senderHash?.equals(senderHash))
  const limiting = isVerified ? undefined : own.at(-FROM_UNVERIFIED)
  const postponements: Postponement[] = [
    {
      reason: 'sender',
      until: new Date(limiting ? limiting.countedAt.getTime() + DAY_MS : 0),
    },
    {
      reason: 'address',
      until: new Date(
        counted.length >= TO_ONE_ADDRESS && last ? last.countedAt.getTime() + HOUR_MS : 0,
      ),
    },
  ]
  const [longest] = postponements.sort((one, other) => other.until.getTime() - one.until.getTime())
  return longest && longest.until > now ? longest : undefined
}

/**
 * Whether one more link may be mailed to an address after those of the last 24 hours, from all accounts. One of the three
 * is reserved for a password reset: typing somebody else's address locks nobody out of their account.
 */
export function canMailLink(
  counts: { links: number; resets: number },
  linkClass: LinkClass,
): boolean {
  if (counts.links + counts.resets >= LINKS_TO_ONE_ADDRESS) return false
  return linkClass === 'resets' || counts.links < LINKS_TO_ONE_ADDRESS - 1
}

const RECIPIENTS_VERIFIED = 20
const RECIPIENTS_UNVERIFIED = 3

/** A recipient that an account wrote to, by the keyed hash of the address. */
export interface RecipientUse {
  addressHash: Buffer
  usedAt: Date
}

/**
 * How long an account must wait before it may write to these recipients; 0 when it may now. Those it wrote to in the last
 * 24 hours are free.
 */
export function waitForRecipients(
  hashes: readonly Buffer[],
  uses: readonly RecipientUse[],
  { isVerified, now }: { isVerified: boolean; now: Date },
): number {
  const fresh = hashes.filter((hash) => !uses.some(({ addressHash }) => addressHash.equals(hash)))
  const limit = isVerified ? RECIPIENTS_VERIFIED : RECIPIENTS_UNVERIFIED
  const surplus = uses.length + fresh.length - limit
  if (fresh.length === 0 || surplus <= 0) return 0
  const instants = uses.map(({ usedAt }) => usedAt.getTime()).sort((one, other) => one - other)
  // The last of them fits in once the oldest uses, as many as are too many, have left the window.
  const leaving = instants[Math.min(surplus, instants.length) - 1] ?? now.getTime()
  return Math.max(1_000, leaving + DAY_MS - now.getTime())
}
