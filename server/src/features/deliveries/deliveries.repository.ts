import { type SqlBool, sql } from 'kysely'
import type { AddressedTo } from '#server/context.ts'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'
import type { DeliveryFacts } from './deliveries.rules.ts'
import { HANDED_AT, HAS_REPLIED } from './journal.repository.ts'
import { deleteMailed } from './mailed-checkpoints.repository.ts'

/** Whom a delivery goes to. */
export interface Addressed extends AddressedTo {
  /** Among the recipients, from 0. */
  position: number
}

export async function insertDelivery(
  db: Db,
  delivery: { id: string; revelationId: string; dueAt: Date; keyHash: Buffer } & Addressed,
): Promise<void> {
  await db
    .insertInto('deliveries')
    .values({ ...delivery, state: 'planned' })
    .execute()
}

/** A mail that was queued for it is not composed any more. */
export async function deleteDelivery(db: Db, id: string): Promise<void> {
  await db.deleteFrom('deliveries').where('id', '=', id).execute()
}

/** Plans again the deliveries that have not left; without `mail_id`, a mail that was queued is not composed. */
export async function replanDeliveries(db: Db, revelationId: string, dueAt: Date): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ dueAt, state: 'planned', mailId: null, error: null })
    .where('revelationId', '=', revelationId)
    .where('state', '!=', 'sent')
    .execute()
}

type DeliveryKey = { id: string } | { mailId: string } | { revelationId: string }

/** One delivery; of a revelation, that of the first recipient. */
export async function findDeliveryFacts(
  db: Db,
  by: DeliveryKey,
): Promise<DeliveryFacts | undefined> {
  const [found] = await selectOne(db, by)
  return found
}

function selectOne(db: Db, by: DeliveryKey): Promise<DeliveryFacts[]> {
  if ('id' in by) return selectById(db, by)
  if ('mailId' in by) return selectByMail(db, by)
  return selectFirst(db, by)
}

const selectById = createStatement((db, { id }: { id: string }) =>
  selectFacts(db).where('deliveries.id', '=', id).modifyEnd(PREPARED),
)

const selectByMail = createStatement((db, { mailId }: { mailId: string }) =>
  selectFacts(db).where('deliveries.mailId', '=', mailId).modifyEnd(PREPARED),
)

const selectFirst = createStatement((db, { revelationId }: { revelationId: string }) =>
  selectFacts(db)
    .where('deliveries.revelationId', '=', revelationId)
    .orderBy('deliveries.position')
    .limit(1)
    .modifyEnd(PREPARED),
)

/** The deliveries that a mail, or a group of mails that left as one, carries. */
export async function listCarriedDeliveries(db: Db, mailId: string): Promise<DeliveryFacts[]> {
  return selectFacts(db)
    .innerJoin('mails', 'mails.id', 'deliveries.mailId')
    .where(isInGroup(mailId))
    .execute()
}

/** The deliveries that it reminded of. */
export async function listRemindedDeliveries(db: Db, mailId: string): Promise<DeliveryFacts[]> {
  return selectFacts(db)
    .innerJoin('followUps', 'followUps.deliveryId', 'deliveries.id')
    .innerJoin('mails', 'mails.id', 'followUps.mailId')
    .where(isInGroup(mailId))
    .execute()
}

function isInGroup(mailId: string) {
  return sql<SqlBool>`(mails.id = ${mailId} or mails.group_id = ${mailId})`
}

/**
 * Locks the revelation, then its deliveries, until the transaction ends; the first recipient first. Edits lock in the same
 * order, and what happened to a delivery may still refer to the revelation.
 */
export async function lockDeliveriesOf(db: Db, revelationId: string): Promise<DeliveryFacts[]> {
  await db
    .selectFrom('revelations')
    .select('id')
    .where('id', '=', revelationId)
    .forNoKeyUpdate()
    .execute()
  return selectFacts(db)
    .where('deliveries.revelationId', '=', revelationId)
    .orderBy('deliveries.position')
    .forUpdate('deliveries')
    .execute()
}

/** The same of one delivery. */
export async function lockDelivery(db: Db, id: string): Promise<DeliveryFacts | undefined> {
  await db
    .selectFrom('revelations')
    .innerJoin('deliveries', 'deliveries.revelationId', 'revelations.id')
    .select('revelations.id')
    .where('deliveries.id', '=', id)
    .forNoKeyUpdate('revelations')
    .execute()
  return selectFacts(db).where('deliveries.id', '=', id).forUpdate('deliveries').executeTakeFirst()
}

function selectFacts(db: Db) {
  return db
    .selectFrom('deliveries')
    .innerJoin('revelations', 'revelations.id', 'deliveries.revelationId')
    .innerJoin('users as author', 'author.id', 'revelations.authorId')
    .select([
      'deliveries.id',
      'deliveries.address',
      'deliveries.addressKey',
      'deliveries.name',
      'deliveries.state',
      'deliveries.mailId',
      'deliveries.keyHash',
      'deliveries.keyVersion',
      HANDED_AT.as('handedAt'),
      HAS_REPLIED.as('hasReplied'),
      'deliveries.notifiedAt',
      'deliveries.sentAt',
      'deliveries.openedAt',
      'deliveries.revokedAt',
      'deliveries.error',
      'deliveries.revelationId',
      'revelations.title',
      'revelations.kind',
      'revelations.visibility',
      'revelations.revealAt',
      'revelations.timeZone',
      'revelations.createdAt as sealedAt',
      'revelations.hiddenAt',
      'revelations.authorId',
      'author.pseudo as authorPseudo',
      'author.email as authorEmail',
      'author.emailKey as authorEmailKey',
    ])
    .$castTo<DeliveryFacts>()
}

/** The recipients of a revelation, the first one first, and when each was written to. */
export async function listAddressed(
  db: Db,
  revelationId: string,
): Promise<(Addressed & { sentAt: Date | null })[]> {
  return selectAddressed(db, { revelationId })
}

const selectAddressed = createStatement((db, { revelationId }: { revelationId: string }) =>
  db
    .selectFrom('deliveries')
    .select(['position', 'address', 'addressKey', 'name', 'sentAt'])
    .where('revelationId', '=', revelationId)
    .orderBy('position')
    .modifyEnd(PREPARED),
)

/** Changes whom a delivery goes to. */
export async function setAddressed(
  db: Db,
  id: string,
  addressed: Partial<Addressed>,
): Promise<void> {
  await db.updateTable('deliveries').set(addressed).where('id', '=', id).execute()
}

/** Plans a delivery anew: nothing was sent to its new address. */
export async function resetDelivery(db: Db, id: string): Promise<void> {
  await db.deleteFrom('followUps').where('deliveryId', '=', id).execute()
  await deleteMailed(db, id)
  await db
    .updateTable('deliveries')
    .set({
      state: 'planned',
      mailId: null,
      error: null,
      notifiedAt: null,
      sentAt: null,
      openedAt: null,
      sealBrokenAt: null,
      revokedAt: null,
    })
    .where('id', '=', id)
    .execute()
}

/** Sets the mail that carries a delivery from now on. */
export async function setCarrier(
  db: Db,
  { id, state }: Pick<DeliveryFacts, 'id' | 'state'>,
  mailId: string,
): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ mailId, error: null, revokedAt: null, state: state === 'failed' ? 'queued' : state })
    .where('id', '=', id)
    .execute()
}

/** Returns false when its seal was broken before. */
export async function setSealBroken(db: Db, id: string, sealBrokenAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ sealBrokenAt })
    .where('id', '=', id)
    .where('sealBrokenAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** That its author is told of. Returns false when they were told before. */
export async function setOpened(db: Db, id: string, openedAt: Date): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('deliveries')
    .set({ openedAt })
    .where('id', '=', id)
    .where('openedAt', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findSealBrokenAt(db: Db, id: string): Promise<Date | null | undefined> {
  const found = await db
    .selectFrom('deliveries')
    .select('sealBrokenAt')
    .where('id', '=', id)
    .executeTakeFirst()
  return found?.sealBrokenAt
}

export async function setNotified(db: Db, id: string, notifiedAt: Date | null): Promise<void> {
  await db.updateTable('deliveries').set({ notifiedAt }).where('id', '=', id).execute()
}

/**
 * Locks the revelation of the delivery that a mail carries until the transaction ends: nobody gives it another address
 * meanwhile, and of two of its deliveries that leave at once one alone is the first. Undefined when the mail carries none.
 * What was locked may have changed just before: ask again whether this mail carries it.
 */
export async function lockCarried(
  db: Db,
  mailId: string,
): Promise<{ id: string; revelationId: string; authorId: string } | undefined> {
  const [carried] = await lockByMail(db, { mailId })
  return carried
}

const lockByMail = createStatement((db, { mailId }: { mailId: string }) =>
  db
    .selectFrom('revelations')
    .innerJoin('deliveries', 'deliveries.revelationId', 'revelations.id')
    .select(['deliveries.id', 'deliveries.revelationId', 'revelations.authorId'])
    .where('deliveries.mailId', '=', mailId)
    .forNoKeyUpdate('revelations')
    .modifyEnd(PREPARED),
)

/**
 * Stores that a delivery left with this mail, in its journal too. Undefined when another mail carries it since. `isFirst`:
 * none of its revelation, which is locked, had left (all parts of the statement see the rows as they were before it).
 */
export async function setSent(
  db: Db,
  sent: { id: string; mailId: string; at: Date },
): Promise<{ isFirst: boolean } | undefined> {
  const [row] = await updateSent(db, sent)
  return row
}

const updateSent = createStatement(
  (_db, { id, mailId, at }: { id: string; mailId: string; at: Date }) => sql<{ isFirst: boolean }>`
    with sent as (
      update deliveries set state = 'sent', sent_at = ${at}, error = null
      where id = ${id} and mail_id = ${mailId}
      returning id, revelation_id
    ), noted as (
      insert into delivery_events (delivery_id, step, at) select id, 'sent', ${at} from sent
    )
    select not exists (
      select from deliveries
      where deliveries.revelation_id = sent.revelation_id and deliveries.sent_at is not null
    ) as is_first
    from sent ${PREPARED}`,
)

/** Stores what became of a delivery that did not leave. A delay stores its reason, and changes nothing else. */
export async function setOutcome(
  db: Db,
  id: string,
  outcome: { state: 'failed'; error: string } | { error: string },
): Promise<void> {
  await db.updateTable('deliveries').set(outcome).where('id', '=', id).execute()
}

/** Queues again the failed deliveries that these mails carry; returns their ids. */
export async function setQueuedAgain(db: Db, mailIds: readonly string[]): Promise<string[]> {
  if (mailIds.length === 0) return []
  const deliveries = await db
    .updateTable('deliveries')
    .set({ state: 'queued', error: null })
    .where('mailId', 'in', mailIds)
    .where('state', '=', 'failed')
    .returning('id')
    .execute()
  return deliveries.map(({ id }) => id)
}

/** Marks its key as revoked, and drops a mail that is about to carry it. */
export async function setRevoked(db: Db, id: string, revokedAt: Date): Promise<void> {
  await sql`
    update deliveries set
      revoked_at = ${revokedAt},
      error = null,
      state = case state when 'queued' then 'sent' else state end,
      mail_id = (select id from mails where id = deliveries.mail_id and state <> 'queued')
    where id = ${id}
  `.execute(db)
}

interface DueDelivery {
  id: string
  revelationId: string
  authorId: string
  position: number
}

/**
 * Locks due deliveries, the longest due first; hidden ones wait for their restoring. Skips those that another worker locked,
 * and those of a revelation that is being edited or withdrawn: what is written about them refers to it, and would wait for
 * whoever waits for them.
 */
export async function lockDueDeliveries(db: Db, now: Date, limit: number): Promise<DueDelivery[]> {
  return db
    .selectFrom('deliveries')
    .innerJoin('revelations', 'revelations.id', 'deliveries.revelationId')
    .select([
      'deliveries.id',
      'deliveries.revelationId',
      'deliveries.position',
      'revelations.authorId',
    ])
    .where('deliveries.state', '=', 'planned')
    .where('deliveries.dueAt', '<=', now)
    .where('revelations.hiddenAt', 'is', null)
    .orderBy('deliveries.dueAt')
    .limit(limit)
    .modifyEnd(sql`for update of deliveries skip locked for key share of revelations skip locked`)
    .execute()
}

export async function setQueued(db: Db, mailIds: ReadonlyMap<string, string>): Promise<void> {
  await sql`
    update deliveries set state = 'queued', mail_id = pair.mail_id
    from unnest(${[...mailIds.keys()]}::uuid[], ${[...mailIds.values()]}::uuid[])
      as pair (delivery_id, mail_id)
    where deliveries.id = pair.delivery_id
  `.execute(db)
}

/** Plans a queued delivery again, for the day it may leave. */
export async function setPlanned(db: Db, id: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'planned', mailId: null })
    .where('id', '=', id)
    .execute()
}
