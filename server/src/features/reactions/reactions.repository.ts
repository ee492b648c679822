import { sql } from 'kysely'
import { EMOJIS, type Emoji, REACTOR_NAMES } from '#contract/reactions.ts'
import { noteActivity } from '#server/platform/database/activity.ts'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'

interface NewReaction {
  revelationId: string
  authorId: string
  emoji: Emoji
  createdAt: Date
}

const insertAndCount = createStatement(
  (_db, reaction: NewReaction) => sql<{ isNews: boolean }>`
    with added as (
      insert into reactions (revelation_id, author_id, emoji, created_at)
      values (${reaction.revelationId}, ${reaction.authorId}, ${reaction.emoji}, ${reaction.createdAt})
      on conflict do nothing
      returning revelation_id, author_id, created_at
    ), counted as (
      update revelations set reactions_count = reactions_count + 1
      from added where revelations.id = added.revelation_id
      returning revelations.id, revelations.author_id
    ), ${noteActivity('reaction')}
    select exists (select from told where is_listed) as is_news from added ${PREPARED}`,
)

/**
 * Inserts a reaction, counts it and notes it for the author in one statement; undefined when it exists already. `isNews`: the
 * author’s notifications changed.
 */
export async function insertReaction(
  db: Db,
  reaction: NewReaction,
): Promise<{ isNews: boolean } | undefined> {
  return (await insertAndCount(db, reaction))[0]
}

const deleteAndCount = createStatement(
  (_db, values: { revelationId: string; authorId: string; emojis: readonly Emoji[] }) => {
    const { revelationId, authorId, emojis } = values
    return sql<{ id: string }>`
      with locked as materialized (
        select id from revelations where id = ${revelationId} for no key update
      ), removed as (
        delete from reactions using locked
        where revelation_id = locked.id and author_id = ${authorId} and emoji = any(${emojis}::text[])
        returning revelation_id
      ), number as (
        select revelation_id, count(*)::integer as of_them from removed group by revelation_id
      )
      update revelations set reactions_count = reactions_count - number.of_them
      from number where revelations.id = number.revelation_id
      returning id ${PREPARED}`
  },
)

/**
 * Deletes these reactions of a person and counts them out; false when there was none. The revelation is locked first, as
 * its own deletion locks it: in the other order the two could wait for each other.
 */
export async function deleteReactions(
  db: Db,
  own: { revelationId: string; authorId: string },
  emojis: readonly Emoji[],
): Promise<boolean> {
  return (await deleteAndCount(db, { ...own, emojis })).length > 0
}

interface Viewed {
  revelationId: string
  viewerId: string | null
  /** The authors whose reactions this viewer does not see. */
  hidden: readonly string[]
}

export interface EmojiCount {
  emoji: Emoji
  count: number
  reacted: boolean
  pseudos: string[]
}

/** One row per emoji, with the names of the first who left it. */
export const countByEmoji = createStatement(
  (_db, { revelationId, viewerId, hidden }: Viewed) => sql<EmojiCount>`
    select emoji, count, reacted, array(
      select pseudo from reactions join users on users.id = author_id
      where revelation_id = ${revelationId} and emoji = counted.emoji
        and author_id not in (select unnest(${hidden}::uuid[]))
      order by reactions.created_at, author_id
      limit ${sql.lit(REACTOR_NAMES)}
    ) as pseudos
    from (
      select emoji, count(*)::integer, coalesce(bool_or(author_id = ${viewerId}::uuid), false) as reacted
      from reactions
      where revelation_id = ${revelationId} and author_id not in (select unnest(${hidden}::uuid[]))
      group by emoji
    ) as counted ${PREPARED}`,
)

export interface ReactionRow {
  emoji: Emoji
  authorId: string
  pseudo: string
}

const LATEST_MAX = 100

/** The latest reactions. The latest of each emoji are read from the index, never all of them. */
export const listLatestReactions = createStatement(
  (_db, { revelationId, hidden }: Omit<Viewed, 'viewerId'>) => sql<ReactionRow>`
      select latest.emoji, author_id, pseudo
      from unnest(${EMOJIS}::text[]) as wanted(emoji)
      cross join lateral (
        select emoji, author_id, created_at from reactions
        where revelation_id = ${revelationId} and emoji = wanted.emoji
          and author_id not in (select unnest(${hidden}::uuid[]))
        order by created_at desc, author_id desc
        limit ${sql.lit(LATEST_MAX)}
      ) as latest
      join users on users.id = author_id
      order by latest.created_at desc, author_id desc, latest.emoji
      limit ${sql.lit(LATEST_MAX)} ${PREPARED}`,
)
