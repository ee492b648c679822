import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Proof } from '#contract/proofs/proof.ts'
import { verifyProof } from '#contract/proofs/verify-proof.ts'
import { A_DAY_MS, createRevelation } from '#testing/factories.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'

const A_MINUTE_MS = 60_000

let server: TestApp
let author: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
})
afterAll(() => server.close())
beforeEach(() => server.clock.advance(A_MINUTE_MS))

async function proofOf(id: string, as?: Person): Promise<Proof> {
  const { status, body } = await server.call('GET', `/api/revelations/${id}/proof`, { as })
  expect(status).toBe(200)
  return body
}

function statesOf(proof: Proof): Record<string, string> {
  return Object.fromEntries(verifyProof(proof).steps.map(({ name, state }) => [name, state]))
}

it('proves after the next checkpoint all that may be seen, and the letter once it is open', async () => {
  const { id, commitment } = await createRevelation(server, author)
  const pending = await proofOf(id)
  expect(pending.versions).toMatchObject([{ version: 1, kind: 'create', commitment, leaf: null }])
  expect(verifyProof(pending).state).toBe('later')

  await server.runJobs()
  expect(statesOf(await proofOf(id))).toEqual({
    ...{ format: 'passed', letter: 'later', versions: 'passed' },
    ...{ checkpoint: 'passed', inclusion: 'passed' },
  })
  expect((await proofOf(id)).opening).toBeNull()
  expect(verifyProof(await proofOf(id, author)).state).toBe('passed')

  server.clock.advance(2 * A_DAY_MS)
  const open = await proofOf(id)
  expect(verifyProof(open).state).toBe('passed')
  expect(open.opening).toMatchObject({ title: 'Ce que je pense de demain', file_sha256: null })
})

it('has every version in the proof, of which the last one opens', async () => {
  const { id } = await createRevelation(server, author)
  await server.runJobs()
  server.clock.advance(A_MINUTE_MS)
  await server.call('PUT', `/api/revelations/${id}`, {
    as: author,
    body: { title: 'Ce que je pense d’après-demain' },
  })
  const between = await proofOf(id, author)
  expect(between.versions.map(({ leaf }) => leaf === null)).toEqual([false, true])
  expect(verifyProof(between).state).toBe('later')
  await server.runJobs()
  const proof = await proofOf(id, author)
  expect(proof.versions.map(({ kind, version }) => [kind, version])).toEqual([
    ['create', 1],
    ['edit', 2],
  ])
  expect(verifyProof(proof).state).toBe('passed')
  expect(proof.opening?.title).toBe('Ce que je pense d’après-demain')
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
  const proof = await proofOf(id, author)
  const fileSha256 = createHash('sha256').update(bytes).digest()
  expect(verifyProof(proof, { fileSha256 }).state).toBe('passed')
})

it('answers 404 for the proof of a deleted revelation, whose leaves stay in the log', async () => {
  const { id } = await createRevelation(server, author)
  await server.runJobs()
  server.clock.advance(A_MINUTE_MS)
  await server.call('DELETE', `/api/revelations/${id}`, { as: author })
  await server.runJobs()
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
