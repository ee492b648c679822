import type pg from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Config } from '#server/config.ts'
import type { Db, Searches } from '#server/platform/database/db.ts'
import { type Jobs, jobsOn } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log.ts'
import type { MailTransport } from '#server/platform/mail/mail.ts'
import type { Tools } from '#server/platform/media-tools/ffmpeg.ts'
import type { DomainEvent, Events } from '#server/platform/pubsub/pubsub.ts'
import type { Keyring } from '#server/platform/sealing/keyring.ts'
import type { DiskReserve } from '#server/platform/storage/disk-reserve.ts'
import type { Storage } from '#server/platform/storage/storage.ts'

/** Everything a use case may need, built once. Inside a transaction it has the same type, bound to it. */
export interface AppContext {
  config: Config
  db: Db
  searches: Searches
  jobs: Jobs
  events: Events
  hooks: Hooks
  mail: MailTransport
  storage: Storage
  disk: DiskReserve
  keyring: Keyring
  tools: Tools
  log: Log
  /** The server's clock: the only one that decides what is revealed. */
  now(): Date
  /** Aborted when the program stops: long work hands itself back to the queue. */
  stopping: AbortSignal
  boss: PgBoss
  pool: pg.Pool
}

/** Somebody a letter is for. */
export interface AddressedTo {
  address: string
  addressKey: string
  name: string | null
}

/** What happens to a letter, or between two people, that other features act upon: plain ids, so that nobody above is known here. */
export interface HookEvents {
  onSealed: {
    revelationId: string
    authorId: string
    revealAt: Date
    recipients: readonly AddressedTo[]
  }
  /** An edit before the instant, which may have changed the date, recipients or neither. */
  onMoved: {
    revelationId: string
    formerRevealAt: Date
    revealAt: Date
    /** All of them; those with a delivery had it before, be it to another address (`isNew`). */
    recipients: readonly (AddressedTo & { deliveryId: string | undefined; isNew: boolean })[]
  }
  /** `isNews`: it opened while it was hidden, or so shortly before that not everybody was notified. */
  onRestored: { revelationId: string; isNews: boolean }
  /** Just before a letter and all that refers to it goes: what hangs on it with files lets go of them. */
  onDeleting: { revelationId: string }
  onDeleted: { revelationId: string; authorId: string; isInRecord: boolean }
  /** The instants of these deliveries have come, and their mails are queued. */
  onRevealed: { deliveryIds: readonly string[]; revelationIds: readonly string[] }
  onRequested: { requestId: string; receiverId: string }
  /** The request of `senderId` was accepted. */
  onRelated: { relationshipId: string; senderId: string }
}

/** For each event, what hangs on it, in the order in which it runs: `hooks.ts` is the one list. */
export type Hooks = {
  readonly [Name in keyof HookEvents]: readonly ((
    tx: AppContext,
    event: HookEvents[Name],
  ) => Promise<void>)[]
}

/** Runs what hangs on an event, in the transaction in which it happens: all of it commits, or nothing does. */
export async function runHooks<Name extends keyof HookEvents>(
  tx: AppContext,
  name: Name,
  event: HookEvents[Name],
): Promise<void> {
  if (!tx.db.isTransaction) throw new Error(`${name} is announced outside a transaction`)
  for (const hook of tx.hooks[name]) await hook(tx, event)
}

/** Runs `work` in one transaction, or in the one already open. Jobs it enqueues commit with it, events follow. */
export async function inTransaction<T>(
  ctx: AppContext,
  work: (tx: AppContext) => Promise<T>,
): Promise<T> {
  if (ctx.db.isTransaction) return work(ctx)
  const published: DomainEvent[] = []
  const events: Events = { publish: (event) => published.push(event) }
  const result = await ctx.db
    .transaction()
    .execute((db) => work({ ...ctx, db, jobs: jobsOn(ctx.boss, db), events }))
  for (const event of published) ctx.events.publish(event)
  return result
}

/**
 * Does what has gathered, a batch per transaction: again as long as one was full (`size`) and the program goes on. Returns
 * how many it were in all, as the batches counted them.
 */
export async function inBatches(
  ctx: AppContext,
  size: number,
  doBatch: (tx: AppContext) => Promise<number>,
): Promise<number> {
  let total = 0
  while (!ctx.stopping.aborted) {
    const count = await inTransaction(ctx, doBatch)
    total += count
    if (count < size) break
  }
  return total
}
