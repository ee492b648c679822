import { type SqlBool, sql } from 'kysely'
import { selectEnvelopes } from '#server/features/access/envelopes.repository.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import type { Db } from '#server/platform/database/db.ts'

/** The oldest first. */
export async function listEnvelopesBy(
  db: Db,
  authorId: string,
  after: Pick<EnvelopeRow, 'createdAt' | 'id'> | undefined,
  limit: number,
): Promise<EnvelopeRow[]> {
  return selectEnvelopes(db)
    .where('revelations.authorId', '=', authorId)
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(revelations.created_at, revelations.id) > (${after?.createdAt}, ${after?.id})`,
      ),
    )
    .orderBy('revelations.createdAt')
    .orderBy('revelations.id')
    .limit(limit)
    .execute()
}
