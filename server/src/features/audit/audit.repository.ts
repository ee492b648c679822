import type { Insertable } from 'kysely'
import type { Db } from '#server/platform/database/db.ts'
import type { AuditLog } from '#server/platform/database/tables.ts'

export async function insertAct(db: Db, act: Insertable<AuditLog>): Promise<void> {
  await db.insertInto('auditLog').values(act).execute()
}

export async function findLastReason(
  db: Db,
  targetId: string,
  action: string,
): Promise<string | undefined> {
  const act = await db
    .selectFrom('auditLog')
    .select('reason')
    .where('targetId', '=', targetId)
    .where('action', '=', action)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return act?.reason
}
