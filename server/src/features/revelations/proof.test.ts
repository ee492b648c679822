import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { AnyProof, ProofV2 } from '#contract/proofs/proof.ts'
import type { Context } from '#contract/proofs/verdict.ts'
import { inTransaction } from '#server/context.ts'
import { type EnvelopeRow, findEnvelope } from '#server/features/access/envelopes.service.ts'
import { grantAuthor } from '#server/features/access/grants.service.ts'
import { lastCheckpoint } from '#server/features/proofs/log.service.ts'
import { rotateLogKey } from '#server/features/proofs/log-keys.service.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { A_DAY_MS, createRevelation, type RevelationOverrides } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { statesOf, verifyLive } from '#testing/verify-live.ts'
import { proveMany } from './proof.service.ts'
import { hideRevelation, restoreRevelation } from './revelations.service.ts'

const A_MINUTE_MS = 60_000

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  const plan = { userId: author.id, plan: 'unlimited' as const }
  await server.ctx.db.insertInto('subscriptions').values(plan).execute()
})
afterAll(() => server.close())
beforeEach(() => server.clock.advance(A_MINUTE_MS))

async function proofOf<T extends AnyProof = ProofV2>(id: string, as?: Person): Promise<T> {
  const { status, body } = await server.call('GET', `/api/revelations/${id}/proof`, { as })
  expect(status).toBe(200)
  return body
}

const verifyOf = async (id: string, as?: Person, context?: Partial<Context>) =>
  verifyLive(server, await proofOf<AnyProof>(id, as), context)

async function edit(id: string, body: object, as = author): Promise<void> {
  expect((await server.call('PUT', `/api/revelations/${id}`, { as, body })).status).toBe(200)
}

async function nextCheckpoint(): Promise<void> {
  server.clock.advance(A_MINUTE_MS)
  await server.runJobs()
}

/** Seals for tomorrow; each of these edits is in a checkpoint of its own. */
async function sealAndEdit(
  overrides: RevelationOverrides,
  ...edits: readonly object[]
): Promise<string> {
  const { id } = await createRevelation(server, author, overrides)
  await nextCheckpoint()
  for (const body of edits) {
    await edit(id, body)
    await nextCheckpoint()
  }
  return id
}

it('proves after the next checkpoint all that may be seen, and the letter once it is open', async () => {
  const { id, commitment, created_at } = await createRevelation(server, author)
  const pending = await proofOf(id)
  expect(pending.leaves).toMatchObject([{ version: 1, kind: 'create', index: null }])
  expect((await verifyLive(server, pending)).state).toBe('unproved')

  await server.runJobs()
  const sealed = await verifyOf(id)
  expect(sealed).toMatchObject({
    state: 'partly',
    facts: {
      ...{ id, authorId: author.id, title: 'Ce que je pense de demain', sealedAt: created_at },
      ...{ publicSince: created_at, isPublicFromSealing: true, isImmediate: false },
    },
  })
  expect(sealed.facts).not.toHaveProperty('content')
  expect(statesOf(sealed)).toEqual({
    ...{ format: 'passed', key: 'passed', checkpoint: 'passed', inclusion: 'passed' },
    ...{ versions: 'passed', letter: 'later', dates: 'passed' },
  })
  expect((await verifyOf(id, author)).state).toBe('proved')

  server.clock.advance(2 * A_DAY_MS)
  const open = await verifyOf(id)
  expect(open).toMatchObject({ state: 'proved', facts: { content: expect.any(String), files: [] } })
  // What pages name it by.
  const { body } = await server.call('GET', `/api/revelations/${id}`)
  expect(body.revelation.commitment).toBe(commitment)
})

it('has every version in the proof, bound to the one before it; of earlier ones only audience and kind are told', async () => {
  const { id } = await createRevelation(server, author)
  await nextCheckpoint()
  await edit(id, { title: 'Ce que je pense d’après-demain' })
  const between = await proofOf(id, author)
  expect(between.leaves.map(({ index }) => index === null)).toEqual([false, true])
  expect((await verifyLive(server, between)).state).toBe('unproved')
  await nextCheckpoint()
  const proof = await proofOf(id, author)
  const [created, edited] = proof.leaves.map((leaf) => (leaf.format === 2 ? leaf.fields : []))
  expect(created?.flatMap((field) => ('value' in field ? field.name : []))).toEqual([
    'audience',
    'kind',
  ])
  expect(edited?.every((field) => 'value' in field)).toBe(true)
  expect(await verifyLive(server, proof)).toMatchObject({
    state: 'proved',
    facts: { title: 'Ce que je pense d’après-demain', version: 2 },
  })
  // Another real leaf in the place of the first, as a splice would have it.
  const other = await proofOf(await sealAndEdit({}), author)
  const spliced = { ...proof, leaves: [other.leaves[0], proof.leaves[1]] }
  expect((await verifyLive(server, spliced)).state).toBe('failed')
})

it('proves who could see it since when, as the page says it', async () => {
  const id = await sealAndEdit({ visibility: 'private' }, { visibility: 'public' })
  const { body } = await server.call('GET', `/api/revelations/${id}`)
  const { visibility: audience, public_since: publicSince } = body.revelation
  const widened = await verifyOf(id, author, { shown: { audience, publicSince } })
  expect(widened).toMatchObject({
    state: 'proved',
    facts: {
      publicSince,
      isPublicFromSealing: false,
      audiences: [{ value: 'private' }, { value: 'public' }],
    },
  })
  expect(statesOf(widened)).toMatchObject({ audience: 'passed' })

  server.clock.advance(2 * A_DAY_MS)
  await edit(id, { visibility: 'friends', category: 'family' })
  await nextCheckpoint()
  const narrowed = await verifyOf(id, author, { shown: { audience: 'friends', publicSince: null } })
  expect(narrowed).toMatchObject({ state: 'proved', facts: { version: 1, publicSince: null } })
  expect(narrowed.facts?.versions.map(({ kind }) => kind)).toEqual(['create', 'change', 'change'])

  await edit(id, { category: 'love' })
  await inTransaction(server.ctx, (tx) => hideRevelation(tx, id))
  await inTransaction(server.ctx, (tx) => restoreRevelation(tx, id))
  expect((await proofOf(id, author)).leaves).toHaveLength(3)
})

it('binds a change of the audience and an edit alike', async () => {
  const id = await sealAndEdit(
    { visibility: 'family' },
    { visibility: 'public', content: 'Il neigera, et tout le monde le saura.' },
    { visibility: 'private' },
    { title: 'Un autre titre' },
    { visibility: 'public' },
  )
  const { state, facts } = await verifyOf(id, author)
  expect(state).toBe('proved')
  expect(facts?.versions.map(({ kind, version }) => [kind, version])).toEqual([
    ['create', 1],
    ['edit', 2],
    ['change', 2],
    ['edit', 3],
    ['change', 3],
  ])
  expect(facts?.audiences.map(({ value }) => value)).toEqual([
    'family',
    'public',
    'private',
    'public',
  ])
})

it('proves what it was sealed as, and since when it is called something else', async () => {
  const id = await sealAndEdit(
    { kind: 'announcement' },
    { kind: 'prediction' },
    { title: 'La même, corrigée' },
    { kind: 'letter', visibility: 'friends' },
  )
  const { state, facts, steps } = await verifyOf(id, author)
  expect([state, facts?.isKindKnownFromStart]).toEqual(['proved', true])
  expect(facts?.kinds.map(({ value }) => value)).toEqual(['announcement', 'prediction', 'letter'])
  expect(facts?.versions.map(({ kind }) => kind)).toEqual(['create', 'change', 'edit', 'change'])
  expect(steps.find(({ name }) => name === 'format')?.state).toBe('passed')
  server.clock.advance(2 * A_DAY_MS)
  const late = await server.call('PUT', `/api/revelations/${id}`, {
    ...{ as: author, body: { kind: 'capsule' } },
  })
  expect(late).toMatchObject({ status: 409, body: { code: 'revelation_revealed' } })
})

it('proves the file as it is downloaded', async () => {
  const bytes = Buffer.from('%PDF-1.4 la preuve')
  const file = await uploadFile(server, author, {
    name: 'preuve.pdf',
    type: 'application/pdf',
    bytes,
  })
  const { id } = await createRevelation(server, author, { file_url: file.path })
  await server.runJobs()
  expect((await verifyOf(id, author)).state).toBe('partly')
  const sha256 = createHash('sha256').update(bytes).digest()
  const verdict = await verifyOf(id, author, { files: [sha256] })
  expect(verdict).toMatchObject({
    state: 'proved',
    facts: { files: [{ sha256: sha256.toString('hex'), label: '' }] },
  })
})

it('says what was sealed at its own instant as what it is', async () => {
  const { id } = await createRevelation(server, author, {
    reveal_date: server.clock.now.toISOString(),
  })
  await nextCheckpoint()
  expect(await verifyOf(id)).toMatchObject({ state: 'proved', facts: { isImmediate: true } })
})

it('dates nothing before the last checkpoint, however wrong the clock is', async () => {
  await createRevelation(server, author)
  await nextCheckpoint()
  const signedAt = server.clock.now.toISOString()
  server.clock.advance(-60 * A_MINUTE_MS)
  const { id, created_at } = await createRevelation(server, author)
  expect(created_at).toBe(signedAt)
  await edit(id, { title: 'Le même instant' })
  await nextCheckpoint()
  server.clock.advance(60 * A_MINUTE_MS)
  expect(await verifyOf(id, author)).toMatchObject({
    state: 'proved',
    checkpoint: { dated: { signedAt } },
    facts: { sealedAt: signedAt },
  })
})

it('has at most as many versions as a proof may hold, and may still be narrowed once it is revealed', async () => {
  const { id } = await createRevelation(server, author)
  await server.ctx.pool.query(
    `insert into seals (revelation_id, version, kind, commitment, sealed_at, identity, former)
     select revelation_id, version, 'change', commitment, sealed_at, identity, commitment
     from seals, generate_series(1, 989) where revelation_id = $1`,
    [id],
  )
  const change = (body: object) =>
    server.call('PUT', `/api/revelations/${id}`, { as: author, body })
  for (const body of [{ title: 'Une fois de trop' }, { visibility: 'friends' }]) {
    expect((await change(body)).body.code).toBe('too_many_versions')
  }
  expect((await change({ category: 'love' })).status).toBe(200)
  server.clock.advance(2 * A_DAY_MS)
  expect((await change({ visibility: 'friends' })).status).toBe(200)
})

it('proves many letters for one checkpoint as it proves each', async () => {
  const ids = [await sealAndEdit({}, { visibility: 'family' }), await sealAndEdit({})]
  const envelopes: EnvelopeRow[] = []
  for (const id of ids) envelopes.push((await findEnvelope(server.ctx, id)) as EnvelopeRow)
  const right = grantAuthor({ userId: author.id }, envelopes) as ReadingRight
  const checkpoint = await lastCheckpoint(server.ctx)
  const proofs = await proveMany(server.ctx, envelopes, right, checkpoint)
  for (const id of ids) {
    // What was mailed is each viewer’s own.
    const { consistency: _, ...alone } = await proofOf(id, author)
    expect(proofs.get(id)).toEqual(alone)
  }
  // What came to the log later has no place in it.
  await edit(ids[1] as string, { title: 'Après ce point de contrôle' })
  await nextCheckpoint()
  const [envelope] = envelopes.slice(1)
  const before = await proveMany(server.ctx, envelope ? [envelope] : [], right, checkpoint)
  expect(before.get(ids[1] as string)).toMatchObject({ leaves: [{}, { index: null }] })
  await server.call('DELETE', `/api/revelations/${ids[1]}`, { as: author })
  expect(await proveMany(server.ctx, envelopes.slice(1), right, checkpoint)).toEqual(new Map())
})

it('proves the same across a change of the key, before the new one has signed anything and after', async () => {
  const id = await sealAndEdit({})
  await rotateLogKey(server.ctx, { operator: 'claire', reason: 'Une clé par an' })
  const between = await verifyOf(id, author)
  expect(between).toMatchObject({
    state: 'proved',
    steps: expect.arrayContaining([
      expect.objectContaining({ name: 'key', because: 'former key' }),
    ]),
  })
  await edit(id, { title: 'Sous une autre clé' })
  await nextCheckpoint()
  const after = await verifyOf(id, author)
  expect(after).toMatchObject({
    state: 'proved',
    steps: expect.arrayContaining([expect.objectContaining({ name: 'key', because: 'known key' })]),
  })
})

it('answers 404 for the proof of a deleted revelation, whose leaves stay in the log', async () => {
  const { id } = await createRevelation(server, author)
  await nextCheckpoint()
  await server.call('DELETE', `/api/revelations/${id}`, { as: author })
  await nextCheckpoint()
  for (const as of [author, undefined]) {
    expect((await server.call('GET', `/api/revelations/${id}/proof`, { as })).status).toBe(404)
  }
  const { rows } = await server.ctx.pool.query(
    `select kind from seals join log_leaves on seal_position = position
     where revelation_id = $1 order by leaf_index`,
    [id],
  )
  expect(rows.map(({ kind }) => kind)).toEqual(['create', 'delete'])
})
