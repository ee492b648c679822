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
import { listRelated } from '#server/features/relationships/relationships.service.ts'
import { isDeadlock, isTimeout } from '#server/platform/database/sql-errors.ts'
import {
  publishRelationshipsChanged,
  publishRevelationChanged,
  publishSessionsEnded,
} from '#server/platform/pubsub/pubsub.ts'
import { eraseRemains } from './account.jobs.ts'
import {
  allowForMails,
  countRevelations,
  countSounds,
  deleteSounds,
  deleteWords,
  listMails,
  listMailsOfTalk,
  listPendingLetters,
  listTouched,
  lockAccount,
  lockDeliveries,
  lockSounds,
  lockStorageKeys,
  type PendingLetter,
  deleteAccount as removeAccount,
  type Touched,
  withdrawRevelations,
} from './account.repository.ts'

const SHOWN_LETTERS = 100
const ATTEMPTS = 10

/** What goes with the actor’s account. */
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

/** What lies outside the database. */
interface Remains {
  storageKeys: string[]
  mailIds: string[]
}

/**
 * Deletes the actor’s account, letters, keys and all, in one transaction (docs/decisions/0012-deleting-an-account.md);
 * `wrong_password`. The job erases files where this program is killed before it has.
 */
export async function deleteAccount(
  ctx: AppContext,
  actor: Actor,
  password: string,
): Promise<void> {
  const user = await getUser(ctx, actor.userId)
  await requirePassword(ctx, actor, user, { password, field: 'password' })
  // First: whoever goes on writing in this name would be waited for again and again.
  const sessions = await endAllSessions(ctx, user, 'password')
  const work = () => inTransaction(ctx, (tx) => deleteAll(tx, user))
  const remains = await beginAgain(work).catch(async (error) => {
    await reopenSessions(ctx, user, sessions)
    throw error
  })
  await erase(ctx, remains).catch((error) =>
    ctx.log.warn({ err: error }, 'what an account left is erased by its job'),
  )
}

/** Something was written between the first lock and the last. */
class Unsettled extends Error {
  override name = 'Unsettled'
}

async function beginAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isPassing = error instanceof Unsettled || isDeadlock(error) || isTimeout(error)
      if (!isPassing || attempt === ATTEMPTS) throw error
    }
  }
}

async function deleteAll(tx: AppContext, user: CheckedAccount): Promise<Remains> {
  const userId = user.id
  await allowForMails(tx.db)
  const { mailIds, touched, tied } = await lockAll(tx, userId)
  const { emailKey } = await lockSamePassword(tx, user, 'password')
  const storageKeys = await lockStorageKeys(tx.db, userId)
  await deleteWords(tx.db, userId)
  await withdrawRevelations(tx.db, userId, tx.now())
  await deleteSounds(tx.db, userId)
  await clearTriesOf(tx, { id: userId, emailKey })
  await removeAccount(tx.db, { id: userId, emailKey }, mailIds)
  const named = await listMailsOfTalk(tx.db, idsOf(touched))
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

/**
 * Holds all that goes, in the order in which everybody else holds it: whoever sends a mail notes it on the delivery,
 * whoever talks locks the revelation, whoever changes a tie the pair; and the account last, because writing in
 * somebody’s name waits for it with the rest in hand.
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

function requireNothingNew(held: readonly string[], found: readonly string[]): void {
  const known = new Set(held)
  if (!found.every((id) => known.has(id)))
    throw new Unsettled('More goes with the account than is held')
}

/** Deletes bytes that no row names any more, and mails kept as files; what is gone already is fine. */
export async function erase(ctx: AppContext, { storageKeys, mailIds }: Remains): Promise<void> {
  for (const key of storageKeys) await ctx.storage.delete(key)
  await ctx.mail.delete(mailIds.map((mailId) => messageIdOf(ctx, mailId)))
}
