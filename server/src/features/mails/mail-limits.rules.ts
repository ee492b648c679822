const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TO_ONE_ADDRESS = 5
const FROM_UNPROVED = 2
const LINKS_TO_ONE_ADDRESS = 3

/**
 * What is counted together (behaviour.md 5.4). `letters`: what somebody writes to an address; `news`: what an account hears of
 * itself; `safety`: what happened to its password or its address.
 */
export type MailClass = 'letters' | 'news' | 'safety'

/** Links of accounts: those that prove an address, and those that let choose another password. */
export type LinkClass = 'links' | 'resets'

/** Mails counted before it no longer count. */
export function startOfMailDay(now: Date): Date {
  return new Date(now.getTime() - DAY_MS)
}

/**
 * The mailbox behind an address, for counting alone: what follows a « + », and the dots of Gmail, make another address of
 * the same mailbox. Two that are one by no such rule are two.
 */
export function mailboxKeyOf(emailKey: string): string {
  const at = emailKey.lastIndexOf('@')
  const [name = ''] = emailKey.slice(0, at).split('+')
  const domain = emailKey.slice(at + 1)
  const isGmail = domain === 'gmail.com' || domain === 'googlemail.com'
  return isGmail ? `${name.replaceAll('.', '')}@gmail.com` : `${name}@${domain}`
}

/** Why a mail waits: so many others were sent there, or whoever wrote it did not prove their own address. */
export type WaitReason = 'address' | 'sender'

export interface Wait {
  until: Date
  reason: WaitReason
}

export interface CountedMail {
  senderHash: Buffer | null
  countedAt: Date
}

/**
 * Until when one more mail of a class to an address waits, and why, after those of the last 24 hours, the oldest first;
 * undefined when it may leave at once. Beyond five they leave together, once an hour; somebody whose own
 * address is not proved has two a day.
 */
export function waitOf(
  counted: readonly CountedMail[],
  { senderHash, isProved, now }: { senderHash: Buffer | null; isProved: boolean; now: Date },
): Wait | undefined {
  const last = counted.at(-1)
  const own = counted.filter((mail) => senderHash && mail.senderHash?.equals(senderHash))
  const inTheWay = isProved ? undefined : own.at(-FROM_UNPROVED)
  const waits: Wait[] = [
    {
      reason: 'sender',
      until: new Date(inTheWay ? inTheWay.countedAt.getTime() + DAY_MS : 0),
    },
    {
      reason: 'address',
      until: new Date(
        counted.length >= TO_ONE_ADDRESS && last ? last.countedAt.getTime() + HOUR_MS : 0,
      ),
    },
  ]
  const [longest] = waits.sort((one, other) => other.until.getTime() - one.until.getTime())
  return longest && longest.until > now ? longest : undefined
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
