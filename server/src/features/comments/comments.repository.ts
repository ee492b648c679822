import { type Selectable, type SqlBool, sql } from 'kysely'
import { scheduleActivityDigest } from '#server/platform/database/activity-digest.ts'
import { createStatement, type Db, PREPARED } from '#server/platform/database/db.ts'
import type { Comments } from '#server/platform/database/tables.ts'

type StoredComment = Omit<Selectable<Comments>, 'hiddenAt'>

/** A comment with its author as others see them; whoever hid it took it from everybody’s sight and counts. */
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
  selectComments(db).where('comments.id', '=', values.id).modifyEnd(PREPARED),
)

export async function findComment(db: Db, id: string): Promise<CommentRow | undefined> {
  return (await findById(db, { id }))[0]
}

/** The newest first, after the cursor: a deep page costs as much as the first. */
export async function listComments(
  db: Db,
  { revelationId, hidden }: { revelationId: string; hidden: readonly string[] },
  page: { after: CommentCursor | undefined; limit: number },
): Promise<CommentRow[]> {
  const { after } = page
  return selectComments(db)
    .where('comments.revelationId', '=', revelationId)
    .where('comments.hiddenAt', 'is', null)
    .$if(hidden.length > 0, (query) => query.where('comments.authorId', 'not in', hidden))
    .$if(after !== undefined, (query) =>
      query.where(
        sql<SqlBool>`(comments.created_at, comments.id) < (${after?.createdAt}, ${after?.id})`,
      ),
    )
    .orderBy('comments.createdAt', 'desc')
    .orderBy('comments.id', 'desc')
    .limit(page.limit)
    .execute()
}

export async function countCommentsBy(
  db: Db,
  authorIds: readonly string[],
  revelationId: string,
): Promise<number> {
  if (authorIds.length === 0) return 0
  const { count } = await db
    .selectFrom('comments')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('authorId', 'in', authorIds)
    .where('revelationId', '=', revelationId)
    .where('hiddenAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const insertAndCount = createStatement((db, comment: StoredComment) => {
  const query = sql<CommentRow>`
    with added as (
      insert into comments (id, revelation_id, author_id, content, created_at)
      values (${comment.id}, ${comment.revelationId}, ${comment.authorId}, ${comment.content}, ${comment.createdAt})
      on conflict (id) do nothing
      returning *
    ), counted as (
      update revelations set comments_count = comments_count + 1
      from added where revelations.id = added.revelation_id
      returning revelations.id, revelations.author_id
    ), ${scheduleActivityDigest}
    select added.*, pseudo, avatar_url from added join users on users.id = author_id ${PREPARED}`
  return { compile: () => query.compile(db) }
})

/** Writes a comment, counts it and notes it for its author in the same statement; undefined when its id is taken. */
export async function insertComment(
  db: Db,
  comment: StoredComment,
): Promise<CommentRow | undefined> {
  return (await insertAndCount(db, comment))[0]
}

/** Waits until nobody else writes in this person’s name under this revelation, to the end of the transaction. */
export async function lockWordsOf(
  db: Db,
  { authorId, revelationId }: { authorId: string; revelationId: string },
): Promise<void> {
  const name = `comment/${authorId}/${revelationId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0)) ${PREPARED}`.execute(db)
}

/** The same words by the same person under the same revelation, written since. */
export async function findSameWords(
  db: Db,
  { authorId, revelationId, content }: StoredComment,
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
 * Removes a comment and counts it out, unless hiding did; false when it was gone. The revelation is locked first, as
 * whoever deletes it does: in the other order the two could wait for each other.
 */
export async function deleteComment(
  db: Db,
  { id, revelationId }: Pick<StoredComment, 'id' | 'revelationId'>,
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
 * Hides a comment and counts it out, or shows and counts it again: the revelation it stands under, or undefined when it
 * was so already or is gone.
 */
export async function setCommentHidden(
  db: Db,
  { id, revelationId }: Pick<StoredComment, 'id' | 'revelationId'>,
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
