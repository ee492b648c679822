import { createHash, randomUUID } from 'node:crypto'
import type { Outcome } from '#contract/predictions.ts'
import type { Category, Visibility } from '#contract/revelations.ts'
import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import { sealLetter } from '#server/features/revelations/letters.service.ts'
import type { TestApp } from '#test/test-server.ts'

export interface Row {
  id: string
  authorId: string
  title: string
  content: string
  category: Category
  visibility: Visibility
  reactionsCount: number
  outcome?: Outcome | null
  revealAt: Date
  createdAt: Date
}

/** Writes sealed revelations as the server would, many at once. */
export async function insertRows(server: TestApp, rows: readonly Row[]): Promise<void> {
  const { db } = server.ctx
  for (let start = 0; start < rows.length; start += 500) {
    const slice = rows.slice(start, start + 500)
    await db
      .insertInto('revelations')
      .values(
        slice.map(({ content, ...row }) => ({
          ...row,
          ...sealLetter(server.ctx, { ...row, content, fileSha256: undefined }),
          targetEmail: 'destinataire@exemple.test',
          targetEmailKey: 'destinataire@exemple.test',
          timeZone: DEFAULT_TIME_ZONE,
          updatedAt: row.createdAt,
          outcomeDeclaredAt: row.outcome ? row.revealAt : null,
        })),
      )
      .execute()
    await db
      .insertInto('deliveries')
      .values(
        slice.map(({ id, revealAt }) => ({
          revelationId: id,
          dueAt: revealAt,
          state: 'sent',
          keyHash: createHash('sha256').update(id).digest(),
        })),
      )
      .execute()
  }
}

/** A row that looks like any other but for what is given. */
export function rowOf(server: TestApp, given: Partial<Row> & { authorId: string }): Row {
  const now = server.clock.now
  return {
    id: randomUUID(),
    title: 'Une lettre parmi d’autres',
    content: 'Rien que de très ordinaire.',
    category: 'general',
    visibility: 'public',
    reactionsCount: 0,
    revealAt: now,
    createdAt: now,
    ...given,
  }
}
