import type { Db } from '#server/platform/database/database.ts'

/** What was about to leave is planned again: the mail it queued is named by no delivery any more. */
export async function unqueueDeliveries(db: Db, revelationId: string): Promise<void> {
  await db
    .updateTable('deliveries')
    .set({ state: 'planned', mailId: null })
    .where('revelationId', '=', revelationId)
    .where('state', '=', 'queued')
    .execute()
}
