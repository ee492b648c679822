import { type Selectable, sql } from 'kysely'
import type { Visibility } from '#contract/revelations.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Deliveries } from '#server/platform/database/tables.ts'

type DeliveryState = 'planned' | 'queued' | 'sent' | 'failed'

/** The journal of a delivery, as its author may read it. */
export type Delivery = Pick<
  Selectable<Deliveries>,
  'id' | 'revelationId' | 'dueAt' | 'error' | 'sentAt' | 'openedAt' | 'notifiedAt'
> & { state: DeliveryState }

/** Everything a mail about a delivery may say; nothing of the letter is ever read for it. */
export interface DeliveryFacts {
  id: string
  mailId: string | null
  notifiedAt: Date | null
  revelationId: string
  title: string
  visibility: Visibility
  revealAt: Date
  timeZone: string
  sealedAt: Date
  targetEmail: string
  targetEmailKey: string
  authorId: string
  authorPseudo: string
  authorEmailKey: string
}

export async function insertDelivery(
  db: Db,
  delivery: { id: string; revelationId: string; dueAt: Date; keyHash: Buffer },
): Promise<void> {
  await db
    .insertInto('deliveries')
    .values({ ...delivery, state: 'planned' })
    .execute()
}

/** Plans again what has not left; the mail it may have queued is forgotten with `mail_id`. */
export async function replanDelivery(db: Db, revelationId: string, dueAt: Date): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ dueAt, state: 'planned', mailId: null, error: null })
    .where('revelationId', '=', revelationId)
    .where('state', '!=', 'sent')
    .execute()
}

export async function listDeliveries(
  db: Db,
  revelationIds: readonly string[],
): Promise<Delivery[]> {
  if (revelationIds.length === 0) return []
  const rows = await db
    .selectFrom('deliveries')
    .select(['id', 'revelationId', 'dueAt', 'state', 'error', 'sentAt', 'openedAt', 'notifiedAt'])
    .where('revelationId', 'in', revelationIds)
    .execute()
  return rows.map((row) => ({ ...row, state: row.state as DeliveryState }))
}

export async function findDeliveryFacts(
  db: Db,
  by: { id: string } | { revelationId: string },
): Promise<DeliveryFacts | undefined> {
  const row = await db
    .selectFrom('deliveries')
    .innerJoin('revelations', 'revelations.id', 'deliveries.revelationId')
    .innerJoin('users as author', 'author.id', 'revelations.authorId')
    .select([
      'deliveries.id',
      'deliveries.mailId',
      'deliveries.notifiedAt',
      'deliveries.revelationId',
      'revelations.title',
      'revelations.visibility',
      'revelations.revealAt',
      'revelations.timeZone',
      'revelations.createdAt as sealedAt',
      'revelations.targetEmail',
      'revelations.targetEmailKey',
      'revelations.authorId',
      'author.pseudo as authorPseudo',
      'author.emailKey as authorEmailKey',
    ])
    .where((where) =>
      'id' in by
        ? where('deliveries.id', '=', by.id)
        : where('deliveries.revelationId', '=', by.revelationId),
    )
    .executeTakeFirst()
  return row && { ...row, visibility: row.visibility as Visibility }
}

export async function findDeliveryByKey(
  db: Db,
  by: { keyHash: Buffer } | { id: string },
): Promise<{ id: string; revelationId: string } | undefined> {
  return db
    .selectFrom('deliveries')
    .select(['id', 'revelationId'])
    .where((where) => ('id' in by ? where('id', '=', by.id) : where('keyHash', '=', by.keyHash)))
    .where('revokedAt', 'is', null)
    .executeTakeFirst()
}

export async function setOpened(db: Db, id: string, openedAt: Date): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ openedAt })
    .where('id', '=', id)
    .where('openedAt', 'is', null)
    .execute()
}

/** False when somebody was quicker. */
export async function setNotified(db: Db, id: string, notifiedAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ notifiedAt })
    .where('id', '=', id)
    .where('notifiedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** A new addressee was told nothing. */
export async function clearNotified(db: Db, revelationId: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ notifiedAt: null })
    .where('revelationId', '=', revelationId)
    .execute()
}

/** The longest due first, each in the hands of this transaction alone. */
export async function takeDueDeliveries(db: Db, now: Date, limit: number): Promise<string[]> {
  const due = await db
    .selectFrom('deliveries')
    .select('id')
    .where('state', '=', 'planned')
    .where('dueAt', '<=', now)
    .orderBy('dueAt')
    .limit(limit)
    .forUpdate()
    .skipLocked()
    .execute()
  return due.map(({ id }) => id)
}

export async function setQueued(db: Db, mailIds: ReadonlyMap<string, string>): Promise<void> {
  await sql`
    update deliveries set state = 'queued', mail_id = pair.mail_id
    from unnest(${[...mailIds.keys()]}::uuid[], ${[...mailIds.values()]}::uuid[])
      as pair (delivery_id, mail_id)
    where deliveries.id = pair.delivery_id
  `.execute(db)
}

/** What became of the mail a delivery names; of any other, nothing is noted. */
export async function noteOutcome(
  db: Db,
  mailId: string,
  outcome:
    | { state: 'sent'; sentAt: Date; error: null }
    | { state: 'queued' | 'failed'; error: string },
): Promise<void> {
  await db.updateTable('deliveries').set(outcome).where('mailId', '=', mailId).execute()
}
