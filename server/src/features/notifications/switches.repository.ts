import { sql } from 'kysely'
import type { NotificationKind } from '#contract/notifications.ts'
import type { Db } from '#server/platform/database/db.ts'

/** What an account chose for a kind; null is as for everybody at first. */
export interface SwitchRow {
  kind: NotificationKind
  page: boolean | null
  push: boolean | null
}

export async function listSwitches(db: Db, userId: string): Promise<SwitchRow[]> {
  return db
    .selectFrom('notificationSwitches')
    .select(['kind', 'page', 'push'])
    .where('userId', '=', userId)
    .$castTo<SwitchRow>()
    .execute()
}

/** Stores these choices; null leaves the former one. */
export async function upsertSwitches(
  db: Db,
  userId: string,
  choices: readonly SwitchRow[],
): Promise<void> {
  await sql`
    insert into notification_switches (user_id, kind, page, push)
    select ${userId}, kind, page, push
    from jsonb_to_recordset(${JSON.stringify(choices)}::jsonb) as choice (kind text, page boolean, push boolean)
    on conflict (user_id, kind) do update set
      page = coalesce(excluded.page, notification_switches.page),
      push = coalesce(excluded.push, notification_switches.push)`.execute(db)
}

/** Takes what an account no longer wants there off its page. */
export async function unlistKinds(
  db: Db,
  userId: string,
  kinds: readonly NotificationKind[],
  readAt: Date,
): Promise<void> {
  await sql`
    update notifications set is_listed = false, read_at = coalesce(read_at, ${readAt})
    where user_id = ${userId} and kind = any(${kinds}::text[]) and is_listed`.execute(db)
}
