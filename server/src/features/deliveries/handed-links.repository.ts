import { DISCLOSED_OPENING } from '#server/features/access/saved-letters.repository.ts'
import type { Db } from '#server/platform/database/db.ts'

/** Returns false when it was given before. */
export async function insertHandedLink(
  db: Db,
  link: { deliveryId: string; keyHash: Buffer; handedAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('handedLinks')
    .values(link)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The first time, or the one that its author is told of. */
export async function setHandedSealBroken(
  db: Db,
  deliveryId: string,
  { sealBrokenAt, isDisclosed }: { sealBrokenAt: Date; isDisclosed: boolean },
): Promise<void> {
  await db
    .updateTable('handedLinks')
    .set({ sealBrokenAt })
    .where('deliveryId', '=', deliveryId)
    .$if(!isDisclosed, (query) => query.where('sealBrokenAt', 'is', null))
    .execute()
}

/** When its seal was broken, as its bearers may know: its author is one of them. */
export async function findDisclosedOpening(db: Db, deliveryId: string): Promise<Date | undefined> {
  const found = await db
    .selectFrom('handedLinks as handed')
    .innerJoin('deliveries', 'deliveries.id', 'handed.deliveryId')
    .select(DISCLOSED_OPENING.as('openedAt'))
    .where('deliveryId', '=', deliveryId)
    .executeTakeFirst()
  return found?.openedAt ?? undefined
}
