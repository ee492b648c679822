import { type RawBuilder, sql } from 'kysely'
import { OUTCOMES, type Outcome } from '#contract/predictions.ts'
import type { Db } from '#server/platform/database/db.ts'

/** Which column of a revelation counts the votes for an outcome. */
const COUNTERS: Record<Outcome, string> = {
  fulfilled: 'votes_fulfilled',
  partly: 'votes_partly',
  failed: 'votes_failed',
  undecidable: 'votes_undecidable',
}

interface Voter {
  revelationId: string
  voterId: string
}

export async function findVote(
  db: Db,
  { revelationId, voterId }: Voter,
): Promise<Outcome | undefined> {
  const row = await db
    .selectFrom('predictionVotes')
    .select('outcome')
    .where('revelationId', '=', revelationId)
    .where('voterId', '=', voterId)
    .executeTakeFirst()
  return row?.outcome as Outcome | undefined
}

/** Upserts a vote, or deletes it without `after`, and counts it. The caller has locked the revelation. */
export async function replaceVote(
  db: Db,
  { revelationId, voterId }: Voter,
  { before, after, at }: { before: Outcome | undefined; after: Outcome | undefined; at: Date },
): Promise<void> {
  if (after) {
    const vote = { outcome: after, votedAt: at }
    await db
      .insertInto('predictionVotes')
      .values({ revelationId, voterId, ...vote })
      .onConflict((conflict) => conflict.columns(['revelationId', 'voterId']).doUpdateSet(vote))
      .execute()
  } else {
    await db
      .deleteFrom('predictionVotes')
      .where('revelationId', '=', revelationId)
      .where('voterId', '=', voterId)
      .execute()
  }
  const changes = OUTCOMES.map((outcome): RawBuilder<unknown> => {
    const change = Number(outcome === after) - Number(outcome === before)
    const counter = sql.ref(COUNTERS[outcome])
    return sql`${counter} = ${counter} + ${change}`
  })
  await sql`update revelations set ${sql.join(changes)} where id = ${revelationId}`.execute(db)
}

interface Declared {
  outcome: Outcome
  source: string | null
}

/** The first outcome of a prediction. */
export async function insertOutcome(
  db: Db,
  id: string,
  { outcome, source }: Declared,
  at: Date,
): Promise<void> {
  await db
    .updateTable('revelations')
    .set({ outcome, outcomeSource: source, outcomeDeclaredAt: at })
    .where('id', '=', id)
    .execute()
}

/** Another outcome or source; the former outcome is stored with it. */
export async function updateOutcome(
  db: Db,
  id: string,
  { outcome, source }: Declared,
  at: Date,
): Promise<void> {
  await db
    .updateTable('revelations')
    .set({
      outcome,
      outcomeSource: source,
      outcomeChangedAt: at,
      formerOutcome: sql`case when outcome = ${outcome} then former_outcome else outcome end`,
    })
    .where('id', '=', id)
    .execute()
}
