import type { STOPPABLE } from '#contract/mail-links.ts'

const TRYING_FOR_MS = 3 * 24 * 3_600_000

/** Why a mail did not leave; `suppressed`: its address wants no mail. */
export type Failure = 'bad_address' | 'refused' | 'unreachable' | 'unexpected' | 'suppressed'

/** What the link in a mail’s footer may stop. */
export type Stoppable = (typeof STOPPABLE)[number]

/** `nothing` is for the account’s own safety, and for what its reader asked for and takes back elsewhere. */
export type Stops = 'nothing' | Stoppable

/** An address that does not exist will not exist tomorrow; for anything else, three days from the first try. */
export function isLastTry(failure: Failure, firstTriedAt: Date, now: Date): boolean {
  if (failure === 'bad_address' || failure === 'suppressed') return true
  return now.getTime() - firstTriedAt.getTime() >= TRYING_FOR_MS
}
