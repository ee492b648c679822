import { sql } from 'kysely'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'

/** One page of a person with a sealed letter before them. */
export interface ReaderKey {
  revelationId: string
  person: string
  page: string
}

export interface Reader extends ReaderKey {
  /** The account to name; null for visitors, bearers of a link, and who is named to nobody. */
  userId: string | null
  /** Named to nobody, and not counted for the author. */
  isAddresseeAlone: boolean
  seenAt: Date
}

const findHidden = createStatement((db, values: { userId: string }) =>
  db
    .selectFrom('notificationPreferences')
    .select('userId')
    .where('userId', '=', values.userId)
    .where('showPresence', '=', false)
    .modifyEnd(PREPARED),
)

/** Whether an account shows that it waits. */
export async function showsPresence(db: Db, userId: string): Promise<boolean> {
  return (await findHidden(db, { userId })).length === 0
}

/** Counts these pages in, in one statement; those of a letter that was deleted meanwhile are left out. */
export async function upsertReaders(db: Db, readers: readonly Reader[]): Promise<void> {
  const column = <Key extends keyof Reader>(key: Key) => readers.map((reader) => reader[key])
  await sql`
    insert into waiting_readers (revelation_id, person, page, user_id, is_addressee_alone, seen_at)
    select row.* from unnest(
      ${column('revelationId')}::uuid[], ${column('person')}::text[], ${column('page')}::uuid[],
      ${column('userId')}::uuid[], ${column('isAddresseeAlone')}::boolean[], ${column('seenAt')}::timestamptz[]
    ) as row (revelation_id, person, page, user_id, is_addressee_alone, seen_at)
    join revelations on revelations.id = row.revelation_id
    on conflict (revelation_id, person, page)
      do update set seen_at = excluded.seen_at, user_id = excluded.user_id,
        is_addressee_alone = excluded.is_addressee_alone ${PREPARED}`.execute(db)
}

/** Without `page`, all pages of this person. */
export async function deleteReader(
  db: Db,
  { revelationId, person, page }: Omit<ReaderKey, 'page'> & { page?: string },
): Promise<void> {
  await db
    .deleteFrom('waitingReaders')
    .where('revelationId', '=', revelationId)
    .where('person', '=', person)
    .$if(page !== undefined, (query) => query.where('page', '=', page as string))
    .execute()
}

interface Counted {
  revelationId: string
  since: Date
  isForAuthor: boolean
}

const countPersons = createStatement((db, values: Counted) =>
  db
    .selectFrom('waitingReaders')
    .select((select) => select.fn.count<number>('person').distinct().as('count'))
    .where('revelationId', '=', values.revelationId)
    .where('seenAt', '>', values.since)
    .where(sql<boolean>`not (is_addressee_alone and ${values.isForAuthor}::boolean)`)
    .modifyEnd(PREPARED),
)

/** How many persons were seen since then. */
export async function countReaders(db: Db, counted: Counted): Promise<number> {
  return Number((await countPersons(db, counted))[0]?.count ?? 0)
}

interface Named {
  revelationId: string
  userIds: readonly string[]
  since: Date
  limit: number
}

/** Those of these accounts that were seen since then and may be named, whatever they chose a moment ago. */
export async function listNamedReaders(
  db: Db,
  { revelationId, userIds, since, limit }: Named,
): Promise<{ id: string; pseudo: string }[]> {
  // By the accounts, each by the key of its row: a crowd that waits is not read through.
  const { rows } = await sql<{ id: string; pseudo: string }>`
    select users.id, pseudo from unnest(${userIds}::uuid[]) as related (id)
    join users on users.id = related.id
    left join notification_preferences as preference on preference.user_id = users.id
    where hidden_at is null and coalesce(preference.show_presence, true) and exists (
      select from waiting_readers
      where revelation_id = ${revelationId} and person = 'user:' || related.id
        and waiting_readers.user_id = related.id and seen_at > ${since}
    )
    order by pseudo_key limit ${limit} ${PREPARED}`.execute(db)
  return rows
}

export async function deleteReadersBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('waitingReaders').where('seenAt', '<=', before).execute()
}
