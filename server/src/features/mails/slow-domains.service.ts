import { type AppContext, inTransaction } from '#server/context.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import { enqueueJobs } from '#server/platform/mail/mail-queue.ts'
import { hashOfAddress } from './mail-preferences.service.ts'
import {
  FIRST_PACE,
  firstPassedAt,
  isQuick,
  nextTurnAt,
  type SlowDomain,
  slowDown,
  speedUp,
} from './mails.rules.ts'
import {
  deleteSlowDomain,
  deleteSlowDomainsBefore,
  endTurn,
  findKnownDestination,
  insertSlowDomain,
  listWaitingDomains,
  lockSlowDomain,
  releaseWaiting,
  setTurn,
} from './slow-domains.repository.ts'

/** Where a mail goes: whether its address accepts none, its domain by keyed hash, and what is known of it if it is slow. */
export interface Destination {
  isSuppressed: boolean
  domainHash: Buffer
  slow: SlowDomain | undefined
}

export async function findDestination(tx: AppContext, address: string): Promise<Destination> {
  const key = emailKeyOf(address)
  const domainHash = hashOfAddress(tx, key.slice(key.lastIndexOf('@') + 1))
  const addressHash = hashOfAddress(tx, address)
  return { domainHash, ...(await findKnownDestination(tx.db, { addressHash, domainHash })) }
}

/** Records how a domain answered the mail of a job: `busy` slows it down, and what it accepts in its turn speeds it up. */
export async function recordAnswer(
  tx: AppContext,
  { domainHash, slow }: Destination,
  jobId: string,
  answer: 'accepted' | 'busy' | 'other',
): Promise<void> {
  if (slow?.turnId === jobId) {
    const pace = { accepted: speedUp, busy: slowDown, other: () => ({}) }[answer](slow)
    await endTurn(tx.db, jobId, pace)
  } else if (answer === 'busy')
    await insertSlowDomain(tx.db, domainHash, { ...FIRST_PACE, turnAt: tx.now() })
}

/**
 * Queues the next mail of each slow domain whose time has come, and all that wait for those that are slow no more; false
 * when no mail waits.
 */
export async function grantTurns(ctx: AppContext): Promise<boolean> {
  const domains = await listWaitingDomains(ctx.db)
  for (const domainHash of domains) {
    if (ctx.stopping.aborted) break
    await inTransaction(ctx, (tx) => grantTurn(tx, domainHash))
  }
  return domains.length > 0
}

const BATCH_SIZE = 1_000

async function grantTurn(tx: AppContext, domainHash: Buffer): Promise<void> {
  const turnAt = tx.now()
  const triedBefore = firstPassedAt(turnAt)
  const slow = await lockSlowDomain(tx.db, domainHash)
  if (!slow || isQuick(slow)) {
    const all = await releaseWaiting(tx.db, domainHash, { triedBefore, limit: BATCH_SIZE })
    await enqueueJobs(tx, all)
    await deleteSlowDomain(tx.db, domainHash)
  } else if (nextTurnAt(slow) <= turnAt) {
    const [next] = await releaseWaiting(tx.db, domainHash, { triedBefore, limit: 1 })
    if (!next) return
    await setTurn(tx.db, domainHash, { turnId: next.id, turnAt })
    await enqueueJobs(tx, [next])
  }
}

const SLOW_FOR_MS = 3_600_000

/** A domain that nothing was sent to for an hour is met as if it had never been slow. */
export async function deletePastSlowDomains(ctx: AppContext): Promise<void> {
  await deleteSlowDomainsBefore(ctx.db, new Date(ctx.now().getTime() - SLOW_FOR_MS))
}
