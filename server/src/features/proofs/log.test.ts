import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { base64Of, bytesOfBase64, hexOf } from '#contract/proofs/bytes.ts'
import {
  type Checkpoint,
  formatLogKey,
  openCheckpoint,
  openNote,
  parseLogKey,
} from '#contract/proofs/checkpoint.ts'
import { knownLogOf, leadsTo } from '#contract/proofs/known-log.ts'
import { type LeafKind, leafV2Of } from '#contract/proofs/leaf.ts'
import { splitHashes } from '#contract/proofs/tiles.ts'
import { verifyConsistency, verifyInclusion } from '#contract/proofs/tree.ts'
import { TestLog } from '#contract/test/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import { startTestServer, type TestApp } from '#testing/test-server.ts'
import { CHECKPOINT_EVERY_MS, growLog } from './growth.service.ts'
import { requireOwnLog, rotateLogKey } from './log-keys.service.ts'

const WHY = { operator: 'claire', reason: 'Le disque a été volé' }

let server: TestApp

beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
beforeEach(() => server.clock.advance(CHECKPOINT_EVERY_MS))

/** Lines of what was sealed, as any feature may write them. */
async function sealMany(count: number): Promise<void> {
  await server.ctx.pool.query(
    `insert into seals (revelation_id, version, kind, commitment, sealed_at, identity, former)
     select gen_random_uuid(), 1, 'create', sha256(random()::text::bytea), $2::timestamptz,
       sha256(random()::text::bytea), ''
     from generate_series(1, $1)`,
    [count, server.clock.now],
  )
}

interface Leaf {
  leaf_index: number
  kind: LeafKind
  version: number
  commitment: Buffer
  sealed_at: Date
  identity: Buffer
  former: Buffer
}

/** The tree that the seals make, by the definition; an index that is missing or twice there fails. */
async function expectedLog(): Promise<TestLog> {
  const { rows } = await server.ctx.pool.query<Leaf>(
    `select leaf_index, kind, version, commitment, sealed_at, identity, former
     from log_leaves join seals on position = seal_position order by leaf_index`,
  )
  expect(rows.map(({ leaf_index }) => leaf_index)).toEqual(rows.map((_, index) => index))
  const log = new TestLog()
  for (const { sealed_at, ...leaf } of rows) {
    log.append(leafV2Of({ ...leaf, sealedAt: sealed_at.toISOString() }))
  }
  return log
}

async function countSeals(): Promise<number> {
  const { rows } = await server.ctx.pool.query('select count(*)::integer as count from seals')
  return rows[0].count
}

async function getLog(path: string) {
  return server.call('GET', `/api/proofs/${path}`)
}

async function readCheckpoint(): Promise<Checkpoint> {
  const key = parseLogKey((await getLog('key')).text.trim())
  const checkpoint = key && openCheckpoint((await getLog('checkpoint')).text, key)
  if (!checkpoint) throw new Error('The checkpoint does not open with the key')
  return checkpoint
}

function decode(hashes: string[]): Uint8Array[] {
  return hashes.map((hash) => bytesOfBase64(hash) ?? new Uint8Array())
}

it('has nothing to say before the first seal, nor a key to replace', async () => {
  await growLog(server.ctx)
  await expect(rotateLogKey(server.ctx, WHY)).rejects.toThrow(StartError)
  for (const path of ['key', 'keys', 'checkpoint', 'inclusion?leaf=0&size=1', 'tile/0/000.p/1']) {
    expect((await getLog(path)).status).toBe(404)
  }
})

it('grows tile by tile to the tree that RFC 6962 defines, and each checkpoint begins the next', async () => {
  const checkpoints: Checkpoint[] = []
  for (const count of [1, 1, 253, 1, 1, 300, 2_211]) {
    await sealMany(count)
    await growLog(server.ctx)
    checkpoints.push(await readCheckpoint())
    server.clock.advance(CHECKPOINT_EVERY_MS)
  }
  const log = await expectedLog()
  const last = checkpoints.at(-1) as Checkpoint
  expect(last).toMatchObject({ size: 2_768, origin: 'localhost:0/journal' })
  for (const { size, root } of checkpoints) {
    expect([size, hexOf(root)]).toEqual([size, hexOf(log.root(size))])
    const { body, headers } = await getLog(`consistency?from=${size}&to=${last.size}`)
    expect(verifyConsistency({ size, root }, last, decode(body.hashes))).toBe(true)
    expect(headers['cache-control']).toContain('immutable')
  }
})

it('proves every leaf in any tree that was signed, and nothing beyond', async () => {
  const log = await expectedLog()
  const { size, root } = await readCheckpoint()
  for (const index of [0, 1, 254, 255, 256, 511, 512, 1_000, 2_559, 2_560, size - 1]) {
    const { body } = await getLog(`inclusion?leaf=${index}&size=${size}`)
    const leafHash = bytesOfBase64(body.leaf_hash) as Uint8Array
    expect(hexOf(leafHash)).toBe(hexOf(log.levels[0]?.[index] as Uint8Array))
    expect(verifyInclusion({ leafHash, index, size, path: decode(body.hashes), root })).toBe(true)
  }
  const { body } = await getLog('inclusion?leaf=3&size=700')
  expect(body.hashes).toEqual(log.inclusion(3, 700).map(base64Of))
  const refused = [`inclusion?leaf=0&size=${size + 1}`, 'inclusion?leaf=7&size=7']
  for (const path of [...refused, `consistency?from=1&to=${size + 1}`, 'consistency?from=2&to=1']) {
    expect([path, (await getLog(path)).status]).toEqual([path, 404])
  }
  expect((await getLog('inclusion?leaf=-1&size=1')).status).toBe(400)
  expect((await getLog('inclusion?leaf=1.5&size=1e3')).status).toBe(400)
})

it('serves its tiles to whoever mirrors it, whole and at the edge', async () => {
  const log = await expectedLog()
  async function hashesOf(path: string): Promise<string[]> {
    const response = await server.app.inject({ method: 'GET', url: `/api/proofs/tile/${path}` })
    expect(response.headers['content-type']).toBe('application/octet-stream')
    return splitHashes(response.rawPayload).map(hexOf)
  }
  const level = (number: number) => (log.levels[number * 8] ?? []).map(hexOf)
  expect(await hashesOf('0/000')).toEqual(level(0).slice(0, 256))
  expect(await hashesOf('0/009')).toEqual(level(0).slice(2_304, 2_560))
  expect(await hashesOf('0/010.p/208')).toEqual(level(0).slice(2_560))
  // As it was when the log was smaller.
  expect(await hashesOf('0/009.p/3')).toEqual(level(0).slice(2_304, 2_307))
  expect(await hashesOf('1/000.p/10')).toEqual(level(1))
  for (const path of ['0/010', '0/010.p/209', '1/000', '1/000.p/11', '2/000.p/1', '0/x000/000']) {
    expect([path, (await getLog(`tile/${path}`)).status]).toEqual([path, 404])
  }
})

it('signs once a minute at most, and goes on when the clock was set back', async () => {
  const before = await readCheckpoint()
  await sealMany(1)
  await growLog(server.ctx)
  await sealMany(1)
  const signedAt = server.clock.now.toISOString()
  server.clock.advance(CHECKPOINT_EVERY_MS - 1)
  await growLog(server.ctx)
  expect((await readCheckpoint()).size).toBe(before.size + 1)
  server.clock.advance(-CHECKPOINT_EVERY_MS * 60)
  await growLog(server.ctx)
  // A date never falls.
  const dated = { signedAt, v2From: 0 }
  expect(await readCheckpoint()).toMatchObject({ size: before.size + 2, dated })
  server.clock.advance(CHECKPOINT_EVERY_MS * 120)
})

it('gives each seal one leaf when several workers take them while others seal', async () => {
  await Promise.all([
    ...Array.from({ length: 8 }, () => sealMany(50)),
    ...Array.from({ length: 4 }, () => growLog(server.ctx)),
  ])
  server.clock.advance(CHECKPOINT_EVERY_MS)
  await Promise.all(Array.from({ length: 4 }, () => growLog(server.ctx)))
  const log = await expectedLog()
  expect(log.size).toBe(await countSeals())
  expect(await readCheckpoint()).toMatchObject({ size: log.size, root: log.root() })
})

it('loses and repeats nothing when a worker is killed between its leaves and its checkpoint', async () => {
  const before = await readCheckpoint()
  await sealMany(700)
  const holder = await server.ctx.pool.connect()
  try {
    await holder.query('begin')
    await holder.query('lock table log_checkpoints in share mode')
    // Awaited from the start: it may fail before whoever kills it knows.
    const refused = expect(growLog(server.ctx)).rejects.toThrow()
    await killWhoWaitsFor('log_checkpoints')
    await refused
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  expect((await readCheckpoint()).size).toBe(before.size)
  await growLog(server.ctx)
  const log = await expectedLog()
  expect(log.size).toBe(before.size + 700)
  expect(await readCheckpoint()).toMatchObject({ size: log.size, root: log.root() })
})

/** As a power cut would, once that transaction has come to this table. */
async function killWhoWaitsFor(table: string): Promise<void> {
  let killed = 0
  while (killed === 0) {
    const { rowCount } = await server.ctx.pool.query(
      `select pg_terminate_backend(pid) from pg_locks
       where not granted and relation = $1::regclass`,
      [table],
    )
    killed = rowCount ?? 0
  }
}

it.each([
  ['seals', 'commitment'],
  ['log_format', 'v2_from'],
  ['log_keys', 'log_key'],
  ['log_leaves', 'hash'],
  ['log_tiles', 'root'],
  ['log_checkpoints', 'root'],
])('%s only grows, whoever asks', async (table, column) => {
  await server.ctx.pool.query('insert into log_format (v2_from) values (0) on conflict do nothing')
  for (const statement of [`delete from ${table}`, `truncate ${table} cascade`]) {
    await expect(server.ctx.pool.query(statement)).rejects.toThrow('only grows')
  }
  await expect(server.ctx.pool.query(`update ${table} set ${column} = ${column}`)).rejects.toThrow(
    'only grows',
  )
})

it('starts on no log that another master key signed', async () => {
  await expect(requireOwnLog(server.ctx)).resolves.toBeUndefined()
  const keyring = { ...server.ctx.keyring, secretFor: () => Buffer.alloc(32, 7) }
  await expect(requireOwnLog({ ...server.ctx, keyring })).rejects.toThrow(StartError)
})

it('replaces its key, which the one before it signs, and goes on under the same name', async () => {
  const answers = await Promise.allSettled([
    rotateLogKey(server.ctx, WHY),
    rotateLogKey(server.ctx, WHY),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const before = await readCheckpoint()
  const { body } = await getLog('keys')
  const known = knownLogOf(body.key, body.statement)
  const former = parseLogKey((await getLog('key')).text.trim())
  expect(known).toMatchObject({
    origin: 'localhost:0/journal',
    former: [{ key: former && formatLogKey(former), size: before.size }],
  })
  // Who knows only the former one can follow.
  expect(former && openNote(body.statement, [former])).toContain(body.key)
  await expect(requireOwnLog(server.ctx)).resolves.toBeUndefined()

  await sealMany(1)
  await growLog(server.ctx)
  expect((await getLog('key')).text.trim()).toBe(body.key)
  const after = await readCheckpoint()
  expect(after).toMatchObject({ size: before.size + 1, origin: before.origin })
  const consistency = await getLog(`consistency?from=${before.size}&to=${after.size}`)
  expect(verifyConsistency(before, after, decode(consistency.body.hashes))).toBe(true)

  await rotateLogKey(server.ctx, WHY)
  const again = (await getLog('keys')).body
  expect(knownLogOf(again.key, again.statement)?.former.map(({ key }) => key)).toEqual([
    known?.former[0]?.key,
    body.key,
  ])
  // Who pinned the first one and missed the second is led to the third.
  const third = knownLogOf(again.key, again.statement)
  expect(again.statements).toEqual([body.statement, again.statement])
  expect(third && leadsTo(known?.former[0]?.key ?? '', third, again.statements)).toBe(true)
  const { rows } = await server.ctx.pool.query(
    `select operator, reason from audit_log where action = 'rotate_log_key'`,
  )
  expect(rows).toEqual([WHY, WHY])
})
