import { sql } from 'kysely'
import type pg from 'pg'
import { type AppContext, inTransaction } from '#server/context.ts'
import { shareLoads } from '#server/platform/database/database.ts'
import type { Shown } from './lists.rules.ts'

/** As the triggers write it (migration 0059). */
type Change = ['row' | 'order' | 'list' | 'words' | 'everything', string | null]

/** What became visible to queries since the snapshot `$1`. Its order makes the index cheaper than the table, whatever the plan expects. */
const UNSEEN = {
  name: 'public_changes',
  text: `select pg_current_snapshot()::text as snapshot, pg_postmaster_start_time()::text as server, (
      select json_agg(json_build_array(scope, row_id)) from (
        select scope, row_id from public_changes
        where xid >= pg_snapshot_xmin($1) and not pg_visible_in_snapshot(xid, $1)
        order by xid limit $2
      ) as unseen
    ) as changes`,
}
const NOTHING_YET = '1:1:'
/** Beyond as many at once, or in memory, everything counts as changed. */
const MAX_CHANGES = 10_000
const MAX_ROWS = 100_000

/**
 * Follows what transactions change of what everybody sees alike. Each look is a number that grows whenever something changed:
 * an answer that was begun after one look is current at a later one if nothing that it shows changed between them.
 */
export function followPublicChanges(pool: pg.Pool) {
  let former: { snapshot: string; server: string } | undefined
  let look = 0
  const changedAt = { any: 0, order: 0, list: 0, everything: 0 }
  const rowsChangedAt = new Map<string, number>()

  function changeEverything(): void {
    rowsChangedAt.clear()
    changedAt.everything = look
  }

  function note([scope, rowId]: Change): void {
    changedAt.any = look
    if (scope === 'everything') changeEverything()
    if (scope === 'list') changedAt.list = look
    if (scope === 'list' || scope === 'order') changedAt.order = look
    if (rowId !== null) rowsChangedAt.set(rowId, look)
  }

  // After a crash PostgreSQL may give the numbers of transactions that it lost to others: they would count as seen.
  const forgetSnapshot = () => {
    former = undefined
  }
  pool.on('error', forgetSnapshot)
  pool.on('connect', (client) => client.on('error', forgetSnapshot))

  const takeLook = shareLoads(async () => {
    const known = former
    const { rows } = await pool.query<{
      snapshot: string
      server: string
      changes: Change[] | null
    }>({
      ...UNSEEN,
      values: [known?.snapshot ?? NOTHING_YET, MAX_CHANGES],
    })
    const [{ snapshot, server, changes }] = rows as [(typeof rows)[0]]
    former = { snapshot, server }
    if (known?.server !== server) {
      look += 1
      changeEverything()
    } else if (changes) {
      look += 1
      for (const change of changes) note(change)
      const isWhole = changes.length < MAX_CHANGES && rowsChangedAt.size < MAX_ROWS
      if (!isWhole) changeEverything()
    }
  })

  return {
    /** The look at an instant after the call: a change that was committed before the call is in it. */
    async look(): Promise<number> {
      await takeLook()
      return look
    },
    /** Whether something that an answer shows changed after this look. */
    hasChanged({ rows, chosenBy }: Shown, since: number): boolean {
      return (
        changedAt.everything > since ||
        (chosenBy === 'search' && changedAt.any > since) ||
        (chosenBy === 'order' && changedAt.order > since) ||
        (chosenBy === 'list' && changedAt.list > since) ||
        rows.some((id) => (rowsChangedAt.get(id) ?? 0) > since)
      )
    },
  }
}

export type PublicChanges = ReturnType<typeof followPublicChanges>

/**
 * Deletes what was noted, and leaves one note of that: each process finds it, and takes everything as changed. Whoever read
 * all the others does so too.
 */
export async function forgetPublicChanges(ctx: AppContext): Promise<void> {
  await inTransaction(ctx, async ({ db }) => {
    // However many there are, some day they must go.
    await sql`set local statement_timeout = 0`.execute(db)
    await sql`
      with forgotten as (
        delete from public_changes where exists (select from public_changes where scope <> 'everything') returning scope
      )
      insert into public_changes (scope) select 'everything' where exists (select from forgotten)`.execute(
      db,
    )
  })
}
