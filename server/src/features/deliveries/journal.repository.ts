import { sql } from 'kysely'
import type { DeliveryStep } from '#contract/deliveries.ts'
import { createStatement, type Db, PREPARED_READ } from '#server/platform/database/db.ts'
import type { Delivery, JournalEntry } from './deliveries.rules.ts'

/** Of a row of `deliveries`: when its author took its link to give it by hand. */
export const HANDED_AT = sql<Date | null>`(
  select handed_at from handed_links where handed_links.delivery_id = deliveries.id
)`

/** Of a row of `deliveries`: whether the person behind its address wrote back. */
export const HAS_REPLIED = sql<boolean>`exists (
  select from replies where replies.delivery_id = deliveries.id
    and replies.address_key = deliveries.address_key
)`

/** As JSON has it, without dates. */
type StoredEntry = Omit<JournalEntry, 'at'> & { at: string }

/** Of a row of `deliveries`: its steps, the first one first. */
const JOURNAL = sql<StoredEntry[]>`(
  select coalesce(json_agg(json_build_object('step', step, 'at', at, 'reason', reason) order by id), '[]')
  from delivery_events where delivery_id = deliveries.id
)`

function selectDeliveries(db: Db) {
  return db
    .selectFrom('deliveries')
    .innerJoin('revelations', 'revelations.id', 'deliveries.revelationId')
    .select([
      'deliveries.id',
      'deliveries.revelationId',
      'deliveries.address',
      'deliveries.name',
      'deliveries.state',
      'deliveries.dueAt',
      'deliveries.error',
      'deliveries.sentAt',
      'deliveries.openedAt',
      'deliveries.notifiedAt',
      'deliveries.revokedAt',
      HANDED_AT.as('handedAt'),
      HAS_REPLIED.as('hasReplied'),
      'revelations.hiddenAt',
      JOURNAL.as('journal'),
    ])
    .orderBy('deliveries.position')
    .modifyEnd(PREPARED_READ)
    .$castTo<Omit<Delivery, 'journal'> & { journal: StoredEntry[] }>()
}

const selectByIds = createStatement((db, { ids }: { ids: readonly string[] }) =>
  selectDeliveries(db).where('deliveries.id', '=', sql<string>`any(${ids}::uuid[])`),
)

const selectByRevelations = createStatement(
  (db, { revelationIds }: { revelationIds: readonly string[] }) =>
    selectDeliveries(db).where(
      'deliveries.revelationId',
      '=',
      sql<string>`any(${revelationIds}::uuid[])`,
    ),
)

/** The deliveries of these revelations, or with these ids, each with its journal; the first recipient first. */
export async function listDeliveries(
  db: Db,
  by: { revelationIds: readonly string[] } | { ids: readonly string[] },
): Promise<Delivery[]> {
  const rows = await ('ids' in by ? selectByIds(db, by) : selectByRevelations(db, by))
  return rows.map((row) => ({
    ...row,
    journal: row.journal.map((entry) => ({ ...entry, at: new Date(entry.at) })),
  }))
}

export async function insertStep(
  db: Db,
  deliveryId: string,
  { step, at, reason = null }: { step: DeliveryStep; at: Date; reason?: string | null },
): Promise<void> {
  await db.insertInto('deliveryEvents').values({ deliveryId, step, at, reason }).execute()
}

/** Inserts a delay once per reason: a server that is down for a day is one line of the journal. */
export async function insertDelay(
  db: Db,
  deliveryId: string,
  { at, reason }: { at: Date; reason: string },
): Promise<void> {
  await sql`
    insert into delivery_events (delivery_id, step, reason, at)
    select ${deliveryId}, 'delayed', ${reason}, ${at}
    where not exists (
      select from (
        select step, reason from delivery_events
        where delivery_id = ${deliveryId} order by id desc limit 1
      ) as latest
      where latest.step = 'delayed' and latest.reason = ${reason}
    )
  `.execute(db)
}

/** Inserts a suspension, once per hiding, for every delivery that is due and hidden. */
export async function insertSuspensions(db: Db, now: Date): Promise<void> {
  await sql`
    insert into delivery_events (delivery_id, step, at)
    select deliveries.id, 'suspended', ${now}
    from deliveries join revelations on revelations.id = deliveries.revelation_id
    where deliveries.state = 'planned' and deliveries.due_at <= ${now}
      and revelations.hidden_at is not null
      and not exists (
        select from delivery_events
        where delivery_id = deliveries.id and step = 'suspended' and at >= revelations.hidden_at
      )
  `.execute(db)
}

/** The instant when the mail of a delivery first left to this address, or after its author sent it again. */
export async function findFirstSending(db: Db, deliveryId: string): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(at) as at from delivery_events where delivery_id = ${deliveryId} and step = 'sent'
      and id > coalesce((
        select max(id) from delivery_events
        where delivery_id = ${deliveryId} and step in ('readdressed', 'resent')
      ), 0)`.execute(db)
  return rows[0]?.at ?? undefined
}

/** The instant when a delivery was last sent again. */
export async function findLastResending(db: Db, deliveryId: string): Promise<Date | undefined> {
  const row = await db
    .selectFrom('deliveryEvents')
    .select('at')
    .where('deliveryId', '=', deliveryId)
    .where('step', '=', 'resent')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}
