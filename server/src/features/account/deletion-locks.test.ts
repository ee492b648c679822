import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  PASSWORD,
  type Person,
  signedIn,
  startTestServer,
  type TestApp,
} from '#testing/test-server.ts'

// Short enough to outwait, long enough for what a busy machine does.
const STATEMENT_TIMEOUT_MS = 4_000

let server: TestApp

beforeAll(async () => {
  server = await startTestServer({
    patience: { statement_timeout: STATEMENT_TIMEOUT_MS },
  })
})
afterAll(() => server.close())

/** What another process does in a transaction of its own, until it is let go. */
async function meanwhile(statement: string, values: string[], work: () => Promise<void>) {
  const client = await server.ctx.pool.connect()
  try {
    await client.query('begin')
    await client.query(statement, values)
    await work()
  } finally {
    await client.query('commit')
    client.release()
  }
}

/** Resolves once a statement has waited that long for somebody else. */
async function untilSomebodyWaits(ms: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await sql`
      select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'
        and clock_timestamp() - query_start > ${ms} * interval '1 ms'`.execute(server.ctx.db)
    return rows.length
  }
  await expect.poll(waiting).toBeGreaterThan(0)
}

const passwordOf = async ({ id }: Person) =>
  (
    await server.ctx.db
      .selectFrom('users')
      .select('passwordHash')
      .where('id', '=', id)
      .executeTakeFirst()
  )?.passwordHash

const profileStatus = async (as: Person) =>
  (await server.call('GET', '/api/auth/profile', { as })).status

function deleteAccount(as: Person) {
  return server.call('DELETE', '/api/auth/account', { as, body: { password: PASSWORD } })
}

describe('a password that another process replaces while it is checked', () => {
  const asked: [string, string, string, object][] = [
    [
      'chooses no other password',
      'PUT',
      '/api/auth/change-password',
      { currentPassword: PASSWORD, newPassword: 'celui du voleur' },
    ],
    [
      'asks for no other address',
      'POST',
      '/api/auth/change-email',
      { email: 'voleur@exemple.test', password: PASSWORD },
    ],
    ['deletes no account', 'DELETE', '/api/auth/account', { password: PASSWORD }],
  ]
  it.each(asked)('%s', async (_, method, url, body) => {
    const person = await signedIn(server)
    let answer: ReturnType<TestApp['call']> | undefined
    const replace = 'update users set password_hash = $2 where id = $1'
    await meanwhile(replace, [person.id, 'replaced'], async () => {
      answer = server.call(method, url, { as: person, body })
      await untilSomebodyWaits(0)
    })
    expect((await answer)?.body.code).toBe('wrong_password')
    expect(await passwordOf(person)).toBe('replaced')
    expect(await profileStatus(person)).toBe(200)
  })
})

describe('deleting an account', () => {
  it('waits for a mail on its way, longer than any other statement may', async () => {
    const person = await signedIn(server)
    let answer: ReturnType<TestApp['call']> | undefined
    const hold = 'select from mails where recipient_id = $1 for update'
    await meanwhile(hold, [person.id], async () => {
      answer = deleteAccount(person)
      await untilSomebodyWaits(2 * STATEMENT_TIMEOUT_MS)
    })
    expect((await answer)?.body).toEqual({ success: true })
    expect(await passwordOf(person)).toBeUndefined()
  })

  it('begins again when a statement was ended for taking too long', async () => {
    const person = await signedIn(server)
    await sql`create sequence tries`.execute(server.ctx.db)
    await failing("if nextval('tries') < 3 then raise exception using errcode = '57014'; end if")
    expect((await deleteAccount(person)).body).toEqual({ success: true })
    expect(await passwordOf(person)).toBeUndefined()
  })

  it('signs nobody out for good when it cannot be done', async () => {
    const person = await signedIn(server)
    const { body } = await server.call('GET', '/api/auth/sessions', { as: person })
    await failing("raise exception 'The disk is full'")
    expect((await deleteAccount(person)).status).toBe(500)
    const after = await server.call('GET', '/api/auth/sessions', { as: person })
    expect([after.status, after.body]).toEqual([200, body])
    await failing('')
    expect((await deleteAccount(person)).body).toEqual({ success: true })
    expect(await profileStatus(person)).toBe(401)
  })
})

/** What happens from now on in PostgreSQL when an account is deleted. */
async function failing(statement: string): Promise<pg.QueryResult> {
  return server.ctx.pool.query(`
    create or replace function fail() returns trigger language plpgsql as
      $$ begin ${statement ? `${statement};` : ''} return old; end $$;
    create or replace trigger fail before delete on users for each row execute function fail()`)
}
