import { type AppContext, inTransaction } from '#server/context.ts'
import { shareLoads } from '#server/platform/database/database.ts'
import type { Shown } from './lists.rules.ts'
import {
  deletePublicChanges,
  type PublicChange,
  readUnseenChanges,
} from './public-changes.repository.ts'

/** Beyond as many at once, or in memory, everything counts as changed. */
const MAX_CHANGES = 10_000
const MAX_ROWS = 100_000

/**
 * Follows what transactions change of what everybody sees alike. Each revision is a number that grows whenever something changed:
 * an answer that was begun after one revision is current at a later one if nothing that it shows changed between them.
 */
export function followPublicChanges({ pool, db }: Pick<AppContext, 'pool' | 'db'>) {
  let former: { snapshot: string; server: string } | undefined
  let revision = 0
  const changedAt = { any: 0, order: 0, list: 0, everything: 0 }
  const rowsChangedAt = new Map<string, number>()

  function changeEverything(): void {
    rowsChangedAt.clear()
    changedAt.everything = revision
  }

  function note([scope, rowId]: PublicChange): void {
    changedAt.any = revision
    if (scope === 'everything') changeEverything()
    if (scope === 'list') changedAt.list = revision
    if (scope === 'list' || scope === 'order') changedAt.order = revision
    if (rowId !== null) rowsChangedAt.set(rowId, revision)
  }

  // After a crash PostgreSQL may give the numbers of transactions that it lost to others: they would count as seen.
  let lostConnections = 0
  const loseConnection = () => {
    lostConnections += 1
    former = undefined
  }
  pool.on('error', loseConnection)
  pool.on('connect', (client) => client.on('error', loseConnection))

  const readLatest = shareLoads(async () => {
    const [known, lostBefore] = [former, lostConnections]
    const found = await readUnseenChanges(db, known?.snapshot, MAX_CHANGES)
    const { snapshot, server, changes } = found
    const isLost = lostConnections !== lostBefore
    former = isLost ? undefined : { snapshot, server }
    if (isLost || known?.server !== server) {
      revision += 1
      changeEverything()
    } else if (changes) {
      revision += 1
      for (const change of changes) note(change)
      const isWhole = changes.length < MAX_CHANGES && rowsChangedAt.size < MAX_ROWS
      if (!isWhole) changeEverything()
    }
  })

  return {
    /** The revision at an instant after the call: a change that was committed before the call is in it. */
    async readRevision(): Promise<number> {
      await readLatest()
      return revision
    },
    /** Whether something that an answer shows changed after this revision. */
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
  await inTransaction(ctx, ({ db }) => deletePublicChanges(db))
}
