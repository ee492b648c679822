import { type Selectable, type SqlBool, sql } from 'kysely'
import { noteActivity } from '#server/platform/database/activity.ts'
import { createStatement, type Db, PREPARED, PREPARED_READ } from '#server/platform/database/db.ts'
import type { Comments } from '#server/platform/database/tables.ts'

export type NewComment = Omit<Selectable<Comments>, 'hiddenAt'>

/** A comment with its author as others see them. A hidden one is in no list and no count. */
export interface CommentRow extends Selectable<Comments> {
  pseudo: string
  avatarUrl: string | null
}

/** The last comment of a page. */
export interface CommentCursor {
  createdAt: Date
  id: string
}

function selectComments(db: Db) {
  return db
    .selectFrom('comments')
    .innerJoin('users', 'users.id', 'comments.authorId')
    .selectAll('comments')
    .select(['users.pseudo', 'users.avatarUrl'])
}

const findById = createStatement((db, values: { id: string }) =>
  selectComments(db).where('comments.id', '=', values.id).modifyEnd(PREPARED_READ),
)

export async function findComment(db: Db, id: string): Promise<CommentRow | undefined> {
  return (await findById(db, { id }))[0]
}

interface PageValues {
  revelationId: string
  hidden: readonly string[]
  limit: number
}

function selectPage(db: Db, { revelationId, hidden, limit }: PageValues) {
  return selectComments(db)
    .where('comments.revelationId', '=', revelationId)
    .where('comments.hiddenAt', 'is', null)
    .where(sql<SqlBool>`comments.author_id not in (select unnest(${hidden}::uuid[]))`)
    .orderBy('comments.createdAt', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(sql<number>`${limit}`)
    .modifyEnd(PREPARED_READ)
}

const selectFirstPage = createStatement(selectPage)

const selectNextPage = createStatement(
  (db, values: PageValues & { afterAt: Date; afterId: string }) =>
    selectPage(db, values).where(
      sql<SqlBool>`(comments.created_at, comments.id) < (${values.afterAt}, ${values.afterId})`,
    ),
)

/** The newest first, after the cursor, without those of the authors in `hidden`. A deep page costs as much as the first. */
export async function listCommentRows(
  db: Db,
  values: PageValues,
  after: CommentCursor | undefined,
): Promise<CommentRow[]> {
  if (!after) return selectFirstPage(db, values)
  return selectNextPage(db, { ...values, afterAt: after.createdAt, afterId: after.id })
}

const countBy = createStatement(
  (_db, values: { authorIds: readonly string[]; revelationId: string }) => sql<{ count: number }>`
      select count(*)::integer from comments
      where author_id = any(${values.authorIds}::uuid[]) and revelation_id = ${values.revelationId}
        and hidden_at is null ${PREPARED}`,
)

export async function countCommentsBy(
  db: Db,
  authorIds: readonly string[],
  revelationId: string,
): Promise<number> {
  if (authorIds.length === 0) return 0
  const [counted] = await countBy(db, { authorIds, revelationId })
  return counted?.count ?? 0
}

const insertAndCount = createStatement(
  (_db, comment: NewComment) => sql<CommentRow & { isNews: boolean }>`
    with added as (
      insert into comments (id, revelation_id, author_id, content, created_at)
      values (${comment.id}, ${comment.revelationId}, ${comment.authorId}, ${comment.content}, ${comment.createdAt})
      on conflict (id) do nothing
      returning *
    ), counted as (
      update revelations set comments_count = comments_count + 1
      from added where revelations.id = added.revelation_id
      returning revelations.id, revelations.author_id
    ), ${noteActivity('comment')}
    select added.*, pseudo, avatar_url, exists (select from told where is_listed) as is_news from added join users on users.id = author_id ${PREPARED}`,
)

/**
 * Inserts a comment, counts it and notes it for the author in one statement; undefined when its id exists. `isNews`: the
 * author’s notifications changed.
 */
export async function insertComment(
  db: Db,
  comment: NewComment,
): Promise<{ row: CommentRow; isNews: boolean } | undefined> {
  const [added] = await insertAndCount(db, comment)
  if (!added) return undefined
  const { isNews, ...row } = added
  return { row, isNews }
}

/** Waits until nobody else adds comments of this author under this revelation, to the end of the transaction. */
export async function lockCommentsOf(
  db: Db,
  { authorId, revelationId }: { authorId: string; revelationId: string },
): Promise<void> {
  const name = `comment/${authorId}/${revelationId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0)) ${PREPARED}`.execute(db)
}

/** A comment with the same content by the same author under the same revelation, added after `since`. */
export async function findRepeatedComment(
  db: Db,
  { authorId, revelationId, content }: NewComment,
  since: Date,
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('comments')
    .select('id')
    .where('authorId', '=', authorId)
    .where('revelationId', '=', revelationId)
    .where('createdAt', '>', since)
    .where('content', '=', content)
    .where('hiddenAt', 'is', null)
    .modifyEnd(PREPARED)
    .executeTakeFirst()
}

/**
 * Deletes a comment and counts it out, unless hiding did; false when it was gone. The revelation is locked first, as its
 * own deletion locks it: in the other order the two could wait for each other.
 */
export async function deleteComment(
  db: Db,
  { id, revelationId }: Pick<NewComment, 'id' | 'revelationId'>,
): Promise<boolean> {
  const { rows } = await sql`
    with locked as materialized (
      select id from revelations where id = ${revelationId} for no key update
    ), removed as (
      delete from comments using locked
      where comments.id = ${id} and comments.revelation_id = locked.id
      returning comments.revelation_id, comments.hidden_at
    )
    update revelations
    set comments_count = comments_count - case when removed.hidden_at is null then 1 else 0 end
    from removed where revelations.id = removed.revelation_id
    returning revelations.id`.execute(db)
  return rows.length > 0
}

/**
 * Hides a comment and counts it out, or restores and counts it. Returns its revelation; undefined when it was so already
 * or is gone.
 */
export async function setCommentHidden(
  db: Db,
  { id, revelationId }: Pick<NewComment, 'id' | 'revelationId'>,
  hiddenAt: Date | null,
): Promise<{ id: string; authorId: string } | undefined> {
  const change = hiddenAt ? -1 : 1
  const { rows } = await sql<{ id: string; authorId: string }>`
    with locked as materialized (
      select id from revelations where id = ${revelationId} for no key update
    ), changed as (
      update comments set hidden_at = ${hiddenAt}::timestamptz from locked
      where comments.id = ${id} and comments.revelation_id = locked.id
        and (comments.hidden_at is null) = ${hiddenAt !== null}
      returning comments.revelation_id
    )
    update revelations set comments_count = comments_count + ${change}::integer
    from changed where revelations.id = changed.revelation_id
    returning revelations.id, revelations.author_id`.execute(db)
  return rows[0]
}
