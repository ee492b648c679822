import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

interface DueDelivery {
  id: string
  revelationId: string
  authorId: string
}

/** The longest due first, each in the hands of this transaction alone; what is hidden waits until it is restored. */
export async function takeDueDeliveries(db: Db, now: Date, limit: number): Promise<DueDelivery[]> {
  return db
    .selectFrom('deliveries')
    .innerJoin('revelations', 'revelations.id', 'deliveries.revelationId')
    .select(['deliveries.id', 'deliveries.revelationId', 'revelations.authorId'])
    .where('deliveries.state', '=', 'planned')
    .where('deliveries.dueAt', '<=', now)
    .where('revelations.hiddenAt', 'is', null)
    .orderBy('deliveries.dueAt')
    .limit(limit)
    .forUpdate('deliveries')
    .skipLocked()
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

/** Back among what is due, for the day it may leave. */
export async function setPlanned(db: Db, id: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'planned', mailId: null })
    .where('id', '=', id)
    .execute()
}

/** Once per hiding, in the journal of what is due and hidden. */
export async function noteSuspended(db: Db, now: Date): Promise<void> {
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
