import { z } from 'zod'
import { type AppContext, inTransaction } from '#server/context.ts'
import { endAllSessions, getUser, reopenSessions } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  type CheckedAccount,
  clearTriesOf,
  lockSamePassword,
  requirePassword,
} from '#server/features/auth/password-tries.service.ts'
import { messageIdOf } from '#server/features/mails/mails.service.ts'
import { appendSeals, sealingInstant } from '#server/features/proofs/seals.service.ts'
import { listRelated } from '#server/features/relationships/relationships.service.ts'
import { isDeadlock, isTimeout } from '#server/platform/database/sql-errors.ts'
import { defineJob } from '#server/platform/jobs/jobs.ts'
import {
  publishRelationshipsChanged,
  publishRevelationChanged,
  publishSessionsEnded,
} from '#server/platform/pubsub/pubsub.ts'
import {
  countRevelations,
  countSounds,
  deleteContributions,
  deleteReplies,
  deleteRevelations,
  deleteSounds,
  extendStatementTimeout,
  listActivityMails,
  listMails,
  listPendingLetters,
  listTouched,
  lockAccount,
  lockDeliveries,
  lockSounds,
  lockStorageKeys,
  type PendingLetter,
  deleteAccount as removeAccount,
  type Touched,
} from './account.repository.ts'

const SHOWN_LETTERS = 100
const ATTEMPTS = 10

/** The letters and voices that are deleted with the actor’s account. */
export async function getAccountRemains(
  ctx: AppContext,
  { userId }: Actor,
): Promise<{
  revelations: number
  pending: number
  letters: PendingLetter[]
  sounds: { all: number; sealed: number }
}> {
  const now = ctx.now()
  const [revelations, { count, letters }, sounds] = await Promise.all([
    countRevelations(ctx.db, userId),
    listPendingLetters(ctx.db, { userId, now, limit: SHOWN_LETTERS }),
    countSounds(ctx.db, userId, now),
  ])
  return { revelations, pending: count, letters, sounds }
}

/** The bytes and stored mails of a deleted account, outside the database. */
export const eraseRemains = defineJob(
  'erase-remains',
  z.object({ storageKeys: z.array(z.string()), mailIds: z.array(z.uuid()) }),
)
type Remains = z.infer<typeof eraseRemains.payload>

/**
 * Deletes the actor’s account, letters, keys and all, in one transaction (docs/decisions/0012-deleting-an-account.md);
 * `wrong_password`. The job erases the files if this program is killed first.
 */
export async function deleteAccount(
  ctx: AppContext,
  actor: Actor,
  password: string,
): Promise<void> {
  const user = await getUser(ctx, actor.userId)
  await requirePassword(ctx, actor, user, { password, field: 'password' })
  // First: calls of open sessions would make the deletion start again and again.
  const sessions = await endAllSessions(ctx, user, 'password')
  const work = () => inTransaction(ctx, (tx) => deleteAll(tx, user))
  const remains = await withRetries(work).catch(async (error) => {
    await reopenSessions(ctx, user, sessions)
    throw error
  })
  await erase(ctx, remains).catch((error) =>
    ctx.log.warn({ err: error }, 'what an account left is erased by its job'),
  )
}

/** Another transaction wrote between the first lock and the last. */
class ChangedMeanwhile extends Error {
  override name = 'ChangedMeanwhile'
}

async function withRetries<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isPassing = error instanceof ChangedMeanwhile || isDeadlock(error) || isTimeout(error)
      if (!isPassing || attempt === ATTEMPTS) throw error
    }
  }
}

async function deleteAll(tx: AppContext, user: CheckedAccount): Promise<Remains> {
  const userId = user.id
  await extendStatementTimeout(tx.db)
  const { mailIds, touched, tied } = await lockAll(tx, userId)
  const { emailKey } = await lockSamePassword(tx, user, 'password')
  const storageKeys = await lockStorageKeys(tx.db, userId)
  await deleteContributions(tx.db, userId)
  await deleteReplies(tx.db, userId)
  await withdrawRevelations(tx, userId)
  await deleteSounds(tx.db, userId)
  await clearTriesOf(tx, { id: userId, emailKey })
  await removeAccount(tx.db, { id: userId, emailKey }, mailIds)
  const named = await listActivityMails(tx.db, idsOf(touched))
  const remains = { storageKeys, mailIds: [...mailIds, ...named] }
  await tx.jobs.enqueue(eraseRemains, remains)
  for (const revelation of touched) {
    const isOwn = revelation.authorId === userId
    for (const change of isOwn
      ? (['state'] as const)
      : (['comments', 'reactions', 'votes'] as const))
      publishRevelationChanged(tx, revelation, change)
  }
  publishRelationshipsChanged(tx, tied)
  publishSessionsEnded(tx, userId)
  return remains
}

const WITHDRAWN_AT_ONCE = 500

/** Withdraws every revelation of the person: keys and letters are deleted, and each gets a seal of its deletion. */
async function withdrawRevelations(tx: AppContext, authorId: string): Promise<void> {
  const sealedAt = await sealingInstant(tx)
  for (;;) {
    const withdrawn = await deleteRevelations(tx.db, authorId, WITHDRAWN_AT_ONCE)
    await appendSeals(
      tx,
      withdrawn.map(({ id, version, commitment }) => ({
        ...{ revelationId: id, authorId, version, commitment, sealedAt },
        kind: 'delete',
      })),
    )
    if (withdrawn.length < WITHDRAWN_AT_ONCE) return
  }
}

/**
 * Locks all that is deleted, in the order of every other transaction: mails before deliveries, then revelations and pairs.
 * The account comes last, because a transaction that writes in its name waits for it with its other locks.
 */
async function lockAll(tx: AppContext, userId: string) {
  const mailIds = await listMails(tx.db, userId, { lock: true })
  const touched = await listTouched(tx.db, userId, { lock: true })
  await lockDeliveries(tx.db, userId)
  await lockSounds(tx.db, userId)
  const tied = await listRelated(tx, userId, { lock: true })
  await lockAccount(tx.db, userId)
  requireNothingNew(mailIds, await listMails(tx.db, userId, { lock: false }))
  requireNothingNew(idsOf(touched), idsOf(await listTouched(tx.db, userId, { lock: false })))
  requireNothingNew(tied, await listRelated(tx, userId, { lock: false }))
  return { mailIds, touched, tied }
}

function idsOf(touched: readonly Touched[]): string[] {
  return touched.map(({ id }) => id)
}

function requireNothingNew(locked: readonly string[], found: readonly string[]): void {
  const known = new Set(locked)
  if (!found.every((id) => known.has(id)))
    throw new ChangedMeanwhile('More belongs to the account than is locked')
}

/** Deletes bytes that no row names any more, and mails stored as files; missing ones are no error. */
export async function erase(ctx: AppContext, { storageKeys, mailIds }: Remains): Promise<void> {
  for (const key of storageKeys) await ctx.storage.delete(key)
  await ctx.mail.delete(mailIds.map((mailId) => messageIdOf(ctx, mailId)))
}
