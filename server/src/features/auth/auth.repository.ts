import { type Selectable, sql } from 'kysely'
import { createStatement, type Db, PREPARED_READ } from '#server/platform/database/db.ts'
import type { Sessions, Users } from '#server/platform/database/tables.ts'

export type UserRow = Selectable<Users>
export type SessionRow = Selectable<Sessions>

interface NewUser {
  email: string
  emailKey: string
  pseudo: string
  pseudoKey: string
  pseudoSkeleton: string
  passwordHash: string
  ageConfirmedAt: Date | null
  createdAt: Date
}

/** What another account uses already: the address, the pseudo, or one that looks the same. */
export type Conflict = 'email' | 'pseudo' | 'lookalike'

/** Inserts an account, or answers what another one uses already. */
export async function insertUser(
  db: Db,
  user: NewUser,
): Promise<{ user: UserRow } | { conflict: Conflict }> {
  const inserted = await db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
  if (inserted) return { user: inserted }
  const others = await db
    .selectFrom('users')
    .select(['emailKey', 'pseudoKey'])
    .where((where) => where.or({ emailKey: user.emailKey, pseudoKey: user.pseudoKey }))
    .execute()
  if (others.some(({ emailKey }) => emailKey === user.emailKey)) return { conflict: 'email' }
  return { conflict: others.length > 0 ? 'pseudo' : 'lookalike' }
}

export async function findUserByEmailKey(db: Db, emailKey: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('emailKey', '=', emailKey).executeTakeFirst()
}

const selectUser = createStatement((db, { id }: { id: string }) =>
  db.selectFrom('users').selectAll().where('id', '=', id).modifyEnd(PREPARED_READ),
)

export async function findUser(db: Db, id: string): Promise<UserRow | undefined> {
  return (await selectUser(db, { id }))[0]
}

/** The account, locked against any other change until the transaction ends. */
export async function lockUser(db: Db, id: string): Promise<UserRow | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Records that the address is the person’s; the first proof counts. */
export async function setEmailVerified(db: Db, userId: string, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ emailVerifiedAt: now })
    .where('id', '=', userId)
    .where('emailVerifiedAt', 'is', null)
    .execute()
}

/** Replaces the address of the account by another, proved just now. */
export async function setEmail(
  db: Db,
  userId: string,
  address: Pick<UserRow, 'email' | 'emailKey' | 'emailVerifiedAt'>,
): Promise<void> {
  await db.updateTable('users').set(address).where('id', '=', userId).execute()
}

/** Sets the addresses that are mailed no link to prove them for this account. */
export async function setRefusedEmailKeys(
  db: Db,
  userId: string,
  refusedEmailKeys: string[],
): Promise<void> {
  await db.updateTable('users').set({ refusedEmailKeys }).where('id', '=', userId).execute()
}

export async function setPasswordHash(db: Db, userId: string, passwordHash: string): Promise<void> {
  await db.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute()
}

/** Records that the person was mailed that tries locked the account. */
export async function setLockMailed(db: Db, userId: string, now: Date): Promise<void> {
  await db.updateTable('users').set({ lockMailedAt: now }).where('id', '=', userId).execute()
}

export async function insertSession(
  db: Db,
  session: Omit<SessionRow, 'id'>,
): Promise<{ id: string }> {
  return db.insertInto('sessions').values(session).returning('id').executeTakeFirstOrThrow()
}

/** Active sessions with the columns of an actor. */
function selectActiveSessions(db: Db, now: Date) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select([
      'sessions.id',
      'sessions.userId',
      'sessions.createdAt',
      'sessions.lastSeenAt',
      'users.emailKey',
      'users.emailVerifiedAt',
    ])
    .where('sessions.expiresAt', '>', now)
    .modifyEnd(PREPARED_READ)
}

const findByToken = createStatement((db, values: { tokenHash: Buffer; now: Date }) =>
  selectActiveSessions(db, values.now).where('sessions.tokenHash', '=', values.tokenHash),
)
const findById = createStatement((db, values: { id: string; now: Date }) =>
  selectActiveSessions(db, values.now).where('sessions.id', '=', values.id),
)

/** The active session of a token or an id. */
export async function findSession(db: Db, by: { tokenHash: Buffer } | { id: string }, now: Date) {
  const [session] =
    'id' in by ? await findById(db, { ...by, now }) : await findByToken(db, { ...by, now })
  return session
}

/** The active ones of these sessions. */
export async function listActiveSessions(db: Db, ids: readonly string[], now: Date) {
  return selectActiveSessions(db, now)
    .where('sessions.id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export async function touchSession(
  db: Db,
  id: string,
  times: { lastSeenAt: Date; expiresAt: Date },
): Promise<void> {
  await db.updateTable('sessions').set(times).where('id', '=', id).execute()
}

export async function listSessionsOf(db: Db, userId: string, now: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .selectAll()
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .orderBy('lastSeenAt', 'desc')
    .execute()
}

/** Ends a session of this person; false when it is not theirs or already gone. */
export async function deleteSession(db: Db, userId: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('userId', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends the sessions of this person and answers their rows. */
export async function deleteSessionsOf(
  db: Db,
  userId: string,
  { except }: { except: string | null },
): Promise<SessionRow[]> {
  return db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .$if(except !== null, (query) => query.where('id', '!=', except))
    .returningAll()
    .execute()
}

/** Inserts sessions that were ended. */
export async function insertSessions(db: Db, sessions: SessionRow[]): Promise<void> {
  if (sessions.length > 0) await db.insertInto('sessions').values(sessions).execute()
}

/** Deletes the sessions of a person that ended, and all but the most recently used. */
export async function trimSessions(db: Db, userId: string, most: number, now: Date): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('userId', '=', userId)
    .where((where) =>
      where.or([
        where('expiresAt', '<=', now),
        where(
          'id',
          'not in',
          where
            .selectFrom('sessions')
            .select('id')
            .where('userId', '=', userId)
            .orderBy('lastSeenAt', 'desc')
            .limit(most),
        ),
      ]),
    )
    .execute()
}

/** Locks and lists the oldest accounts whose pseudo has no skeleton yet. */
export async function listUsersWithoutSkeleton(
  db: Db,
  limit: number,
): Promise<{ id: string; pseudo: string }[]> {
  return db
    .selectFrom('users')
    .select(['id', 'pseudo'])
    .where('pseudoSkeleton', 'is', null)
    .orderBy('createdAt')
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute()
}

/**
 * Writes skeletons in this order. One that is in use is written with the id of the account, which no pseudo can contain:
 * it blocks nobody, and the account is not listed again.
 */
export async function setPseudoSkeletons(
  db: Db,
  users: readonly { id: string; skeleton: string }[],
): Promise<void> {
  const ids = users.map(({ id }) => id)
  const skeletons = users.map(({ skeleton }) => skeleton)
  await sql`
    with numbered as (
      select id, skeleton, row_number() over (partition by skeleton order by place) as rank
      from unnest(${ids}::uuid[], ${skeletons}::text[]) with ordinality as entry (id, skeleton, place)
    )
    update users set pseudo_skeleton = case
      when rank > 1 or exists (select from users as other where other.pseudo_skeleton = skeleton)
      then skeleton || ' ' || numbered.id else skeleton end
    from numbered where users.id = numbered.id`.execute(db)
}
