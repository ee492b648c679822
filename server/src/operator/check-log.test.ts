import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { grantInstallationCheck } from '#server/features/access/operator-grants.service.ts'
import { CHECKPOINT_EVERY_MS, growLog } from '#server/features/proofs/growth.service.ts'
import { leafHashOf } from '#server/features/proofs/leaves.rules.ts'
import { checkLog } from '#server/features/proofs/log-checks.service.ts'
import { listSealsOf } from '#server/features/proofs/seals.repository.ts'
import { checkLetters } from '#server/features/revelations/operator-letters.service.ts'
import type { Checked } from '#server/platform/sealing/checked.ts'
import { createRevelation } from '#testing/factories.ts'
import { convertToFormat1 } from '#testing/format-1.ts'
import { pdf } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'

let server: TestApp
let author: Person
/** Sealed by version 0.1.0, before anything else. */
let ids: string[]

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  ids = []
  for (let count = 0; count < 4; count += 1) ids.push((await createRevelation(server, author)).id)
  await convertToFormat1(server, author)
})
afterAll(() => server.close())

async function grow(): Promise<void> {
  server.clock.advance(CHECKPOINT_EVERY_MS)
  await growLog(server.ctx)
}

async function sealMany(count: number): Promise<void> {
  await server.ctx.pool.query(
    `insert into seals (revelation_id, version, kind, commitment, sealed_at, identity, former)
     select gen_random_uuid(), 1, 'create', sha256(n::text::bytea), $2, sha256(n::text::bytea), ''
     from generate_series(1, $1::integer) n`,
    [count, server.clock.now],
  )
}

async function moveSeal(byDays: number): Promise<void> {
  await server.ctx.pool.query(
    `update seals set sealed_at = sealed_at + $1 * interval '1 day' where position = 9`,
    [byDays],
  )
}

async function problemsIn(checks: AsyncIterable<Checked>): Promise<[string, string][]> {
  const found: [string, string][] = []
  for await (const { name, problem } of checks) if (problem) found.push([name, problem])
  return found
}

const problems = () => problemsIn(checkLog(server.ctx))

async function letterProblems() {
  const why = { operator: 'claire', reason: 'La visite du lundi' }
  const right = await grantInstallationCheck(server.ctx, why)
  return problemsIn(checkLetters(server.ctx, right))
}

const namesOf = (found: [string, string][]) => found.map(([name]) => name)

it('finds letters of both formats as they were sealed, whatever became of them', async () => {
  const [widened, edited, gone] = ids
  await grow()
  const edit = (id: string | undefined, body: object) =>
    server.call('PUT', `/api/revelations/${id}`, { as: author, body })
  await edit(widened, { visibility: 'friends' })
  await edit(edited, { title: 'Scellée de nouveau', visibility: 'private' })
  await server.call('DELETE', `/api/revelations/${gone}`, { as: author })
  await createRevelation(server, author)
  await grow()
  await edit(edited, { title: 'Et encore une fois' })
  await grow()
  expect(await letterProblems()).toEqual([])
  expect(await problems()).toEqual([])
})

it('finds a letter whose envelope says something else than was sealed, or that was widened or relabelled without a seal', async () => {
  const { pool } = server.ctx
  await pool.query('update revelations set title = title || $2 where id = $1', [ids[1], '!'])
  await pool.query(`update revelations set visibility = 'public' where id = $1`, [ids[0]])
  const { rows } = await pool.query(
    `update revelations set kind = 'prediction' where id <> all($1::uuid[]) returning id`,
    [ids],
  )
  expect((await letterProblems()).toSorted()).toEqual(
    [
      ...rows.map(({ id }) => [`letter ${id}`, 'its kind is not the one that was sealed']),
      [`letter ${ids[0]}`, 'its audience is not the one that was sealed'],
      [`letter ${ids[1]}`, 'it is not what its commitment says'],
    ].toSorted(),
  )
})

it('finds a letter that lost one of the files that were sealed', async () => {
  const before = await letterProblems()
  const file_urls: string[] = []
  for (let at = 0; at < 3; at += 1) {
    file_urls.push((await uploadFile(server, author, { bytes: pdf() })).url)
  }
  const { id } = await createRevelation(server, author, {
    ...{ file_urls, captions: ['Une', null, 'Trois'] },
    reveal_date: server.clock.now.toISOString(),
  })
  expect(await letterProblems()).toEqual(before)
  await server.ctx.pool.query(
    'delete from revelation_files where revelation_id = $1 and position = 1',
    [id],
  )
  expect(namesOf(await letterProblems())).toEqual([...namesOf(before), `letter ${id}`].toSorted())
})

it('finds a seal that was altered, and one that never came to the log', async () => {
  await sealMany(300)
  await grow()
  await sealMany(1)
  expect(await problems()).toEqual([])
  await server.ctx.pool.query('alter table seals disable trigger user')
  await moveSeal(-1)
  expect(namesOf(await problems())).toEqual(['leaf 8'])
  await moveSeal(1)
  await sealMany(1)
  expect(namesOf(await problems())).toEqual(['the log'])
})

it('finds a leaf that follows another than the one before it, one of another age, and a date that fell', async () => {
  const { pool } = server.ctx
  for (const table of ['seals', 'log_leaves', 'log_format', 'log_checkpoints']) {
    await pool.query(`alter table ${table} disable trigger user`)
  }
  const [, seal] = await listSealsOf(server.ctx.db, [ids[0] ?? ''])
  if (!seal) throw new Error('The audience was not sealed')
  const former = Buffer.alloc(32)
  const hash = leafHashOf({ ...seal, former })
  await pool.query('update seals set former = $2 where position = $1', [seal.position, former])
  await pool.query('update log_leaves set hash = $2 where seal_position = $1', [
    ...[seal.position, hash],
  ])
  const place = `leaf ${seal.position - 1}`
  expect(await problems()).toContainEqual([place, 'it does not follow the one before it'])
  await pool.query('update log_format set v2_from = 3')
  expect(await problems()).toContainEqual(['leaf 3', 'it is of the format of another age'])
  await pool.query(
    `update log_checkpoints set signed_at = signed_at - interval '1 day' where size > 4`,
  )
  const fallen = (await problems()).filter(([, problem]) => problem.startsWith('its date'))
  expect(namesOf(fallen)).toContain('checkpoint 8')
})

it('names a log that is not the one this installation signed', async () => {
  const mark = path.join(server.ctx.config.dataDir, 'keys', 'log-checkpoint.txt')
  const note = await readFile(mark, 'utf8')
  await writeFile(mark, note.replace('\n', '\n1'))
  expect((await problems()).map(([, problem]) => problem)).toContainEqual(
    expect.stringContaining('is no checkpoint of the log in this database'),
  )
  await writeFile(mark, note)
})
