import { sql } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'

interface NewSubscription {
  sessionId: string
  endpointHash: Buffer
  sealed: string
  createdAt: Date
}

/**
 * In place of what the session had, and of what this browser had under another session: whoever is signed in now is told.
 * The same again changes nothing.
 */
export async function replaceSubscription(db: Db, subscription: NewSubscription): Promise<void> {
  const { sessionId, endpointHash } = subscription
  await sql`
    delete from push_subscriptions
    where (session_id = ${sessionId}) <> (endpoint_hash = ${endpointHash})`.execute(db)
  await db
    .insertInto('pushSubscriptions')
    .values(subscription)
    .onConflict((conflict) =>
      conflict.column('endpointHash').doUpdateSet({ sealed: subscription.sealed }),
    )
    .execute()
}

export async function hasSubscription(db: Db, sessionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('pushSubscriptions')
    .select('id')
    .where('sessionId', '=', sessionId)
    .executeTakeFirst()
  return row !== undefined
}

export async function deleteSubscription(
  db: Db,
  which: { sessionId: string } | { id: string },
): Promise<void> {
  const query = db.deleteFrom('pushSubscriptions')
  await ('id' in which
    ? query.where('id', '=', which.id)
    : query.where('sessionId', '=', which.sessionId)
  ).execute()
}
