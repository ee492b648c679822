import { sql } from 'kysely'
import { createStatement, type Db, onlyRow, PREPARED } from '#server/platform/database/db.ts'
import type { SlowDomain } from './mails.rules.ts'

/** What is known of where a mail goes, in one statement: it is asked for every mail. */
export async function findKnownDestination(
  db: Db,
  hashes: { addressHash: Buffer; domainHash: Buffer },
): Promise<{ isSuppressed: boolean; slow: SlowDomain | undefined }> {
  const { isSuppressed, ...slow } = onlyRow(await selectDestination(db, hashes))
  return { isSuppressed, slow: isSlow(slow) ? slow : undefined }
}

/** As an outer join has it: without a row, nothing of it. */
type Joined<Row> = Row | { [Name in keyof Row]: null }

function isSlow(row: Joined<SlowDomain>): row is SlowDomain {
  return row.turnAt !== null
}

const selectDestination = createStatement(
  (_db, { addressHash, domainHash }: { addressHash: Buffer; domainHash: Buffer }) => sql<
    { isSuppressed: boolean } & Joined<SlowDomain>
  >`
    select
      exists (select from suppressed_addresses where address_hash = ${addressHash}) as is_suppressed,
      per_minute, accepted, turn_id, turn_at
    from (values (0)) as always
      left join slow_domains on domain_hash = ${domainHash} ${PREPARED}`,
)

/** Locks a slow domain until the transaction ends. */
export async function lockSlowDomain(db: Db, domainHash: Buffer): Promise<SlowDomain | undefined> {
  return db
    .selectFrom('slowDomains')
    .select(['perMinute', 'accepted', 'turnId', 'turnAt'])
    .where('domainHash', '=', domainHash)
    .forUpdate()
    .executeTakeFirst()
}

/** Of several mails that were on their way at once, the first that is put off slows their domain. */
export async function insertSlowDomain(
  db: Db,
  domainHash: Buffer,
  slow: Omit<SlowDomain, 'turnId'>,
): Promise<void> {
  await db
    .insertInto('slowDomains')
    .values({ domainHash, ...slow })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function setTurn(
  db: Db,
  domainHash: Buffer,
  turn: { turnId: string; turnAt: Date },
): Promise<void> {
  await db.updateTable('slowDomains').set(turn).where('domainHash', '=', domainHash).execute()
}

/** Ends the turn of a job, if it has any. */
export async function endTurn(
  db: Db,
  turnId: string,
  pace: Partial<Pick<SlowDomain, 'perMinute' | 'accepted'>> = {},
): Promise<void> {
  await db
    .updateTable('slowDomains')
    .set({ ...pace, turnId: null })
    .where('turnId', '=', turnId)
    .execute()
}

export async function deleteSlowDomain(db: Db, domainHash: Buffer): Promise<void> {
  await db.deleteFrom('slowDomains').where('domainHash', '=', domainHash).execute()
}

/** Deletes the domains that nothing was sent to since. */
export async function deleteSlowDomainsBefore(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('slowDomains')
    .where('turnAt', '<', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('mails')
            .select('id')
            .whereRef('mails.domainHash', '=', 'slowDomains.domainHash'),
        ),
      ),
    )
    .execute()
}

/** Leaves mails without a job until the turn of their domain. */
export async function setWaiting(
  db: Db,
  ids: readonly string[],
  domainHash: Buffer,
): Promise<void> {
  await db.updateTable('mails').set({ domainHash }).where('id', 'in', ids).execute()
}

/** The domains for which mails wait. */
export async function listWaitingDomains(db: Db): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('mails')
    .select('domainHash')
    .distinct()
    .where('domainHash', 'is not', null)
    .$narrowType<{ domainHash: Buffer }>()
    .execute()
  return rows.map(({ domainHash }) => domainHash)
}

/** A mail, or a group of mails that leave as one. */
interface Waiting {
  id: string
  priority: number
}

/**
 * Ends the wait of the next mails of a domain, and returns them in order: as they were queued, after more urgent ones, and those
 * that were first tried before `triedBefore` last.
 */
export async function releaseWaiting(
  db: Db,
  domainHash: Buffer,
  { triedBefore, limit }: { triedBefore: Date; limit: number },
): Promise<Waiting[]> {
  const rows = await db
    .selectFrom('mails')
    .select((select) => ['priority', select.fn.coalesce('groupId', 'id').as('id')])
    .where('domainHash', '=', domainHash)
    .orderBy(sql`coalesce(first_tried_at <= ${triedBefore}, false)`)
    .orderBy('priority', 'desc')
    .orderBy('mails.id')
    .limit(limit)
    .execute()
  const next = new Map<string, Waiting>()
  for (const row of rows) if (!next.has(row.id)) next.set(row.id, row)
  const ids = [...next.keys()]
  if (ids.length === 0) return []
  await db
    .updateTable('mails')
    .set({ domainHash: null })
    .where('domainHash', '=', domainHash)
    .where((where) => where.or([where('id', 'in', ids), where('groupId', 'in', ids)]))
    .execute()
  return [...next.values()]
}
