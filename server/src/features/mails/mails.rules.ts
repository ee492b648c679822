import type { Preference } from '#contract/subscriptions.ts'

const TRYING_FOR_MS = 3 * 24 * 3_600_000

/** Why a mail did not leave; `suppressed`: its address wants no mail. */
export type Failure = 'bad_address' | 'refused' | 'unreachable' | 'unexpected' | 'suppressed'

/** What the link in its footer stops: nothing (the account’s own safety), one kind, or all that comes from others. */
export type Stops = 'nothing' | 'everything' | Preference

/** An address that does not exist will not exist tomorrow; for anything else, three days from the first try. */
export function isLastTry(failure: Failure, firstTriedAt: Date, now: Date): boolean {
  if (failure === 'bad_address' || failure === 'suppressed') return true
  return now.getTime() - firstTriedAt.getTime() >= TRYING_FOR_MS
}
