import { openDatabase } from '#server/platform/database/database.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine, watchForeignCpu } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { type Program, signUp, startProgram } from './harness/program.ts'
import { medianOf } from './harness/rounds.ts'

/** Of no notification. */
const UNKNOWN_ID = '01970000-0000-7000-8000-000000000000'

const FEW = 20
const MANY = 10_000
const CALLS_A_ROUND = 60
const MAX_RATIO = 1.5

interface Reader {
  token: string
}

/** What each call costs an account with ten thousand unread notifications, beside one with twenty: call by call, in turn. */
export async function run({ rounds }: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const program = await startProgram(folder, { ROLE: 'api' }, atEnd)
  const readers = await fill(program, atEnd)
  const doors = {
    'the list, with its count': ({ token }: Reader) =>
      program.call('GET', '/api/notifications', { token }),
    'a deep page': async ({ token }: Reader) => {
      const { next_cursor } = await program.call<{ next_cursor: string | null }>(
        'GET',
        '/api/notifications?limit=10',
        { token },
      )
      return program.call('GET', `/api/notifications?cursor=${next_cursor}`, { token })
    },
    'the count': ({ token }: Reader) =>
      program.call('POST', '/api/notifications/read', { token, body: { ids: [UNKNOWN_ID] } }),
  }
  const foreignCoresOf = await watchForeignCpu()
  const rows: Record<string, object> = {}
  for (const [name, call] of Object.entries(doors)) {
    const times = await measure(readers, call, rounds * CALLS_A_ROUND)
    const [few = 0, many = 0] = times.map(medianOf)
    const ratio = many / few
    rows[name] = {
      [`median ms, ${FEW}`]: few.toFixed(2),
      [`median ms, ${MANY}`]: many.toFixed(2),
      ratio: ratio.toFixed(2),
      verdict: ratio <= MAX_RATIO ? `within ${MAX_RATIO}` : `BEYOND ${MAX_RATIO}`,
    }
  }
  console.log(describeMachine())
  console.table(rows)
  console.log(`Other processes burned ${(await foreignCoresOf()).toFixed(2)} cores.`)
}

async function measure(
  readers: readonly Reader[],
  call: (reader: Reader) => Promise<unknown>,
  calls: number,
): Promise<number[][]> {
  const times: number[][] = readers.map(() => [])
  for (let turn = 0; turn < calls; turn += 1) {
    for (const [index, reader] of readers.entries()) {
      const startedAt = performance.now()
      await call(reader)
      // The first ones warm the program up.
      if (turn >= CALLS_A_ROUND / 2) times[index]?.push(performance.now() - startedAt)
    }
  }
  return times
}

/** Open letters of a friend, each with a notification: the first ones for one reader, all of them for the other. */
async function fill(program: Program, atEnd: AtEnd): Promise<Reader[]> {
  const { pool, close } = openDatabase(program.connection, console)
  atEnd(close)
  const author = await signUp(program, 'autrice')
  const [few, many] = [await signUp(program, 'peu'), await signUp(program, 'beaucoup')]
  await pool.query(
    `insert into relationships (low_user_id, high_user_id, type, created_at)
     select least(id, $1::uuid), greatest(id, $1::uuid), 'friend', now() from unnest($2::uuid[]) as id`,
    [author.userId, [few.userId, many.userId]],
  )
  await pool.query(
    `insert into revelations (id, author_id, title, category, visibility, reveal_at,
       time_zone, wrapped_key, sealed_content, commitment, sealed_opening, searchable, created_at, updated_at)
     select gen_random_uuid(), $1, 'Une lettre, la ' || n || 'e', 'general', 'friends',
       now() - interval '1 day', 'UTC', '', '', sha256(n::text::bytea), '', false, now(), now()
     from generate_series(1, $2::integer) as n`,
    [author.userId, MANY],
  )
  await pool.query(
    `insert into deliveries (revelation_id, position, address, address_key, due_at, state, key_hash)
     select id, 0, 'a@exemple.test', 'a@exemple.test', reveal_at, 'sent', sha256(id::text::bytea) from revelations`,
  )
  for (const [userId, count] of [
    [few.userId, FEW],
    [many.userId, MANY],
  ]) {
    await pool.query(
      `insert into notifications (user_id, kind, subject_id, revelation_id, started_at, created_at, is_listed, is_push_due)
       select $1, 'revealed', id, id, at, at, true, false
       from (
         select id, now() - row_number() over () * interval '1 second' as at from revelations limit $2
       ) as told`,
      [userId, count],
    )
  }
  await pool.query('vacuum analyze')
  return [few, many]
}
