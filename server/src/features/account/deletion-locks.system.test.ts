import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { aProgram } from '#testing/api-tokens.ts'
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

/** Runs work while another transaction has run this statement and has not ended. */
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
  const cases: [string, string, string, object][] = [
    [
      'PUT /api/auth/change-password changes nothing',
      'PUT',
      '/api/auth/change-password',
      { currentPassword: PASSWORD, newPassword: 'celui du voleur' },
    ],
    [
      'POST /api/auth/change-email requests nothing',
      'POST',
      '/api/auth/change-email',
      { email: 'voleur@exemple.test', password: PASSWORD },
    ],
    [
      'DELETE /api/auth/account deletes nothing',
      'DELETE',
      '/api/auth/account',
      { password: PASSWORD },
    ],
  ]
  it.each(cases)('%s', async (_, method, url, body) => {
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

describe('DELETE /api/auth/account', () => {
  it('waits for a mail that is being sent, longer than other statements may', async () => {
    const person = await signedIn(server)
    let answer: ReturnType<TestApp['call']> | undefined
    const lock = 'select from mails where recipient_id = $1 for update'
    await meanwhile(lock, [person.id], async () => {
      answer = deleteAccount(person)
      await untilSomebodyWaits(2 * STATEMENT_TIMEOUT_MS)
    })
    expect((await answer)?.body).toEqual({ success: true })
    expect(await passwordOf(person)).toBeUndefined()
  })

  it('starts again when a statement timed out', async () => {
    const person = await signedIn(server)
    await sql`create sequence tries`.execute(server.ctx.db)
    await failing("if nextval('tries') < 3 then raise exception using errcode = '57014'; end if")
    expect((await deleteAccount(person)).body).toEqual({ success: true })
    expect(await passwordOf(person)).toBeUndefined()
  })

  it('restores the sessions and the tokens of the API when it fails', async () => {
    const person = await signedIn(server)
    const program = await aProgram(server, person, ['write'])
    const { body } = await server.call('GET', '/api/auth/sessions', { as: person })
    expect(await profileStatus(program)).toBe(200)
    const { body: tokens } = await server.call('GET', '/api/auth/tokens', { as: person })
    await failing("raise exception 'The disk is full'")
    expect((await deleteAccount(person)).status).toBe(500)
    const after = await server.call('GET', '/api/auth/sessions', { as: person })
    expect([after.status, after.body]).toEqual([200, body])
    expect((await server.call('GET', '/api/auth/tokens', { as: person })).body).toEqual(tokens)
    expect(await profileStatus(program)).toBe(200)
    await failing('')
    expect((await deleteAccount(person)).body).toEqual({ success: true })
    for (const as of [person, program]) expect(await profileStatus(as)).toBe(401)
  })
})

/** Makes PostgreSQL run this statement before each deletion of an account. */
async function failing(statement: string): Promise<pg.QueryResult> {
  return server.ctx.pool.query(`
    create or replace function fail() returns trigger language plpgsql as
      $$ begin ${statement ? `${statement};` : ''} return old; end $$;
    create or replace trigger fail before delete on users for each row execute function fail()`)
}
