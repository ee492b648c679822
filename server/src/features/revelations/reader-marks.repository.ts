import { type RawBuilder, sql } from 'kysely'
import type { Outcome } from '#contract/predictions.ts'
import { EMOJIS, type Emoji } from '#contract/reactions.ts'
import { LIVING_SAVES } from '#server/features/access/saved-letters.repository.ts'
import type { ViewerAccount } from '#server/features/access/viewers.service.ts'
import { type Db, PREPARED_READ } from '#server/platform/database/db.ts'

/** What one account did about a revelation, as far as that shows on it. */
export interface ReaderMarks {
  revelationId: string
  /** Of the delivery by whose link it joined the letter. */
  savedDeliveryId: string | null
  /** In the order of `EMOJIS`. */
  reactions: Emoji[]
  vote: Outcome | null
  /** When the seal was broken: by itself, or as the addressee of a personal link. */
  openedAt: Date | null
  /** It asked to be reminded of the instant. */
  isAwaited: boolean
}

/** The same after it passed through JSON, which has no dates. */
export type JsonMarks = Omit<ReaderMarks, 'openedAt'> & { openedAt: string | null }

/** The rows of a query: for each of these revelations that the account did anything about, what that was. */
export function selectMarks(
  { userId, verifiedEmailKey }: ViewerAccount,
  ids: RawBuilder<unknown>,
): RawBuilder<object> {
  return sql`
    select revelation_id, max(saved_delivery_id) as saved_delivery_id,
      coalesce(array_agg(emoji) filter (where emoji is not null), '{}') as reactions,
      max(vote) as vote, min(opened_at) as opened_at, bool_or(is_awaited) as is_awaited
    from (
      select revelation_id, emoji, null as vote, null as saved_delivery_id,
        null::timestamptz as opened_at, false as is_awaited
      from reactions where author_id = ${userId} and revelation_id = any(${ids})
      union all
      select revelation_id, null, outcome, null, null, false
      from prediction_votes where voter_id = ${userId} and revelation_id = any(${ids})
      union all
      select revelation_id, null, null, delivery_id::text,
        case when not exists (
          select from deliveries where address_key = ${verifiedEmailKey}
            and deliveries.revelation_id = saved.revelation_id
        ) then seal_broken_at end, false
      from ${LIVING_SAVES} as saved where user_id = ${userId} and revelation_id = any(${ids})
      union all
      select revelation_id, null, null, null, opened_at, false
      from openings where user_id = ${userId} and revelation_id = any(${ids})
      union all
      select revelation_id, null, null, null, seal_broken_at, false
      from deliveries where revelation_id = any(${ids}) and seal_broken_at is not null
        and address_key = ${verifiedEmailKey}
      union all
      select revelation_id, null, null, null, null, true
      from reminders where user_id = ${userId} and revelation_id = any(${ids})
    ) as done group by revelation_id`
}

/** What selected marks say, by the id of their revelation. */
export function marksById(rows: readonly (ReaderMarks | JsonMarks)[]): Map<string, ReaderMarks> {
  return new Map(
    rows.map(({ openedAt, ...marks }) => [
      marks.revelationId,
      {
        ...marks,
        openedAt: openedAt === null ? null : new Date(openedAt),
        reactions: marks.reactions.toSorted((a, b) => EMOJIS.indexOf(a) - EMOJIS.indexOf(b)),
      },
    ]),
  )
}

/** What an account did about these revelations, by their ids; nothing of those that it did nothing about. */
export async function listMarks(
  db: Db,
  account: ViewerAccount,
  ids: readonly string[],
): Promise<Map<string, ReaderMarks>> {
  if (ids.length === 0) return new Map()
  const { rows } =
    await sql<ReaderMarks>`${selectMarks(account, sql`${ids}::uuid[]`)} ${PREPARED_READ}`.execute(
      db,
    )
  return marksById(rows)
}
