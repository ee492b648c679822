import { type SqlBool, sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

export interface CommentOfMine {
  id: string
  revelationId: string
  content: string
  createdAt: Date
}

/** The instant as programs read it: what was written by other means may be more exact. */
const writtenAt = sql<Date>`date_trunc('milliseconds', created_at)`

/** The oldest first. */
export async function listCommentsOf(
  db: Db,
  userId: string,
  after: CommentOfMine | undefined,
  limit: number,
): Promise<CommentOfMine[]> {
  return db
    .selectFrom('comments')
    .select(['id', 'revelationId', 'content', 'createdAt'])
    .where('authorId', '=', userId)
    .$if(after !== undefined, (query) =>
      query.where(sql<SqlBool>`(${writtenAt}, id) > (${after?.createdAt}, ${after?.id})`),
    )
    .orderBy(writtenAt)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export interface ReactionOfMine {
  revelationId: string
  emoji: string
  createdAt: Date
}

export async function listReactionsOf(
  db: Db,
  userId: string,
  after: ReactionOfMine | undefined,
  limit: number,
): Promise<ReactionOfMine[]> {
  return db
    .selectFrom('reactions')
    .select(['revelationId', 'emoji', 'createdAt'])
    .where('authorId', '=', userId)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(${writtenAt}, revelation_id, emoji)
          > (${after?.createdAt}, ${after?.revelationId}, ${after?.emoji})`,
      ),
    )
    .orderBy(writtenAt)
    .orderBy('revelationId')
    .orderBy('emoji')
    .limit(limit)
    .execute()
}

export interface VoteOfMine {
  revelationId: string
  outcome: string
  votedAt: Date
}

/** In the order of what they are about: one vote each. */
export async function listVotesOf(
  db: Db,
  userId: string,
  after: VoteOfMine | undefined,
  limit: number,
): Promise<VoteOfMine[]> {
  return db
    .selectFrom('predictionVotes')
    .select(['revelationId', 'outcome', 'votedAt'])
    .where('voterId', '=', userId)
    .$if(after !== undefined, (query) =>
      query.where('revelationId', '>', after?.revelationId as string),
    )
    .orderBy('revelationId')
    .limit(limit)
    .execute()
}

export interface OpeningOfMine {
  revelationId: string
  openedAt: Date
}

/** In the order of what was opened: each letter once. */
export async function listOpeningsOf(
  db: Db,
  userId: string,
  after: OpeningOfMine | undefined,
  limit: number,
): Promise<OpeningOfMine[]> {
  return db
    .selectFrom('openings')
    .select(['revelationId', 'openedAt'])
    .where('userId', '=', userId)
    .$if(after !== undefined, (query) =>
      query.where('revelationId', '>', after?.revelationId as string),
    )
    .orderBy('revelationId')
    .limit(limit)
    .execute()
}

export interface DeliveryOfMine {
  id: string
  revelationId: string
  address: string
  name: string | null
  state: string
  dueAt: Date
  notifiedAt: Date | null
  sentAt: Date | null
  openedAt: Date | null
  revokedAt: Date | null
  error: string | null
  journal: { step: string; at: Date; reason: string | null }[]
}

export async function listDeliveriesOf(
  db: Db,
  revelationIds: readonly string[],
): Promise<DeliveryOfMine[]> {
  if (revelationIds.length === 0) return []
  const deliveries = await db
    .selectFrom('deliveries')
    .select(['id', 'revelationId', 'address', 'name', 'state', 'dueAt', 'notifiedAt'])
    .select(['sentAt', 'openedAt', 'revokedAt', 'error'])
    .where('revelationId', '=', sql<string>`any(${revelationIds}::uuid[])`)
    .orderBy('revelationId')
    .orderBy('position')
    .execute()
  const events = await db
    .selectFrom('deliveryEvents')
    .select(['deliveryId', 'step', 'at', 'reason'])
    .where('deliveryId', '=', sql<string>`any(${deliveries.map(({ id }) => id)}::uuid[])`)
    .orderBy('id')
    .execute()
  const journals = Map.groupBy(events, ({ deliveryId }) => deliveryId)
  return deliveries.map((delivery) => ({ ...delivery, journal: journals.get(delivery.id) ?? [] }))
}

export async function listRemindersOf(db: Db, userId: string) {
  return db
    .selectFrom('reminders')
    .select(['revelationId', 'stage', 'dueAt', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('revelationId')
    .execute()
}

export async function listFavoriteSoundsOf(db: Db, userId: string) {
  return db
    .selectFrom('soundFavorites')
    .select(['soundId', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('soundId')
    .execute()
}

export async function listReportsBy(db: Db, userId: string) {
  return db
    .selectFrom('reports')
    .select(['target', 'targetId', 'reason', 'message', 'state', 'outcome', 'closingReason'])
    .select(['createdAt', 'closedAt'])
    .where('reporterId', '=', userId)
    .orderBy('createdAt')
    .execute()
}

/** The browsers that are told what opens; where they are written to is a secret, also in an export. */
export async function listPushSubscriptionsOf(db: Db, userId: string) {
  return db
    .selectFrom('pushSubscriptions')
    .innerJoin('sessions', 'sessions.id', 'pushSubscriptions.sessionId')
    .select(['sessions.device', 'pushSubscriptions.createdAt'])
    .where('sessions.userId', '=', userId)
    .orderBy('pushSubscriptions.createdAt')
    .execute()
}

/** What was bought, whoever took the money. */
export async function listPurchasesOf(db: Db, userId: string) {
  return db
    .selectFrom('purchases')
    .select(['plan', 'endsAt', 'storageMb', 'priceCents', 'provider', 'reference', 'createdAt'])
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .execute()
}
