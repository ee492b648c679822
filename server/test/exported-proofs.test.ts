import { afterAll, beforeAll, expect, it } from 'vitest'
import { readProof } from '#contract/proofs/read-proof.ts'
import { verify } from '#contract/proofs/verify.ts'
import { A_DAY_MS, createRevelation } from '#testing/factories.ts'
import { sha256 } from '#testing/independent-verifier/commitment.ts'
import {
  isConsistent,
  isIncluded,
  openCheckpoint,
  rootOf,
} from '#testing/independent-verifier/log.ts'
import { picture } from '#testing/media-files.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { uploadFile } from '#testing/uploads.ts'
import { knownLogOfServer, statesOf, verifyLive } from '#testing/verify-live.ts'

const MORE_THAN_A_MINUTE_MS = 61_000

let server: TestApp
let author: Person
let id: string
let file: Buffer

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  for (let count = 0; count < 4; count += 1) await createRevelation(server, author)
  file = await picture('png')
  const { url } = await uploadFile(server, author, { bytes: file, name: 'carte.png' })
  const sealed = await createRevelation(server, author, { file_url: url, visibility: 'public' })
  id = sealed.id
})
afterAll(() => server.close())

async function exported(as?: Person): Promise<string> {
  const { status, text } = await server.call('GET', `/api/revelations/${id}/proof`, { as })
  expect(status).toBe(200)
  return text
}

async function verdict(as?: Person, files: Buffer[] = []) {
  const found = await verifyLive(server, JSON.parse(await exported(as)), { files })
  return { state: found.state, steps: statesOf(found) }
}

async function fetchBody(url: string) {
  const { status, body, text } = await server.call('GET', url)
  expect([url, status]).toEqual([url, 200])
  return body ?? text
}

async function nextCheckpoint(): Promise<string> {
  server.clock.advance(MORE_THAN_A_MINUTE_MS)
  await server.runJobs()
  return fetchBody('/api/proofs/checkpoint')
}

const fromBase64 = (hashes: string[]) => hashes.map((hash) => Buffer.from(hash, 'base64'))

it('an exported proof is right in part while the letter is sealed, then altogether', async () => {
  expect(await verdict()).toMatchObject({
    state: 'unproved',
    steps: { letter: 'later', versions: 'passed', checkpoint: 'later', inclusion: 'later' },
  })
  await nextCheckpoint()
  const body = {
    title: 'Ce que je pense d’après-demain',
    content: 'Il neigera.\nLe soir, surtout.',
  }
  const { status } = await server.call('PUT', `/api/revelations/${id}`, { as: author, body })
  expect(status).toBe(200)
  expect(await verdict()).toMatchObject({ state: 'unproved', steps: { inclusion: 'later' } })
  await nextCheckpoint()
  expect(await verdict()).toMatchObject({
    state: 'partly',
    steps: { letter: 'later', versions: 'passed', checkpoint: 'passed', inclusion: 'passed' },
  })
  server.clock.advance(2 * A_DAY_MS)
  const { revelation } = await fetchBody(`/api/revelations/${id}`)
  const own = await server.call('GET', `/api/revelations/${id}`, { as: author })
  const downloaded = (await server.app.inject(own.body.revelation.file_url)).rawPayload
  expect(downloaded.equals(file)).toBe(true)
  expect((await verifyLive(server, JSON.parse(await exported()))).facts).toMatchObject({
    ...body,
    authorId: author.id,
    revealAt: revelation.reveal_date,
  })
  expect(await verdict()).toMatchObject({ state: 'partly', steps: { file: 'later' } })
  const { state, steps } = await verdict(undefined, [sha256(downloaded)])
  expect(state).toBe('proved')
  expect([...new Set(Object.values(steps))]).toEqual(['passed'])
})

it('an exported proof is refused whichever bit of it is changed', async () => {
  const bytes = Buffer.from(await exported())
  const known = await knownLogOfServer(server)
  const context = { known, now: server.clock.now, files: [sha256(file)] }
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const state = () => {
    try {
      return verify(JSON.parse(decoder.decode(bytes)), context).state
    } catch (error) {
      // No UTF-8, or no JSON.
      if (error instanceof TypeError || error instanceof SyntaxError) return 'failed'
      throw error
    }
  }
  expect(state()).toBe('proved')
  const accepted: string[] = []
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const [at, mask] = [bit >> 3, 1 << (bit & 7)]
    bytes[at] = (bytes[at] ?? 0) ^ mask
    if (['proved', 'partly'].includes(state()))
      accepted.push(bytes.subarray(at - 20, at + 20).toString())
    bytes[at] = (bytes[at] ?? 0) ^ mask
  }
  expect(accepted).toEqual([])
})

it('an exported proof belongs to the public log', async () => {
  const proof = JSON.parse(await exported())
  const key = await fetchBody('/api/proofs/key')
  expect(key.trimEnd()).toBe(proof.key)
  const later = openCheckpoint(proof.checkpoint, proof.key)
  if (!later) throw new Error('the checkpoint does not open')
  const leaves = readProof(proof)?.leaves ?? []
  expect(leaves).toHaveLength(2)
  for (const { index, hash } of leaves) {
    const answer = await fetchBody(`/api/proofs/inclusion?leaf=${index}&size=${later.size}`)
    const leaf = Buffer.from(answer.leaf_hash, 'base64')
    expect(leaf.equals(hash)).toBe(true)
    const path = fromBase64(answer.hashes)
    expect(isIncluded(leaf, answer.leaf, answer.size, path, later.root)).toBe(true)
  }
})

it('a mirror of the tiles builds the tree, and every earlier one', async () => {
  const note = await fetchBody('/api/proofs/checkpoint')
  const later = openCheckpoint(
    note,
    await fetchBody('/api/proofs/key').then((text) => text.trimEnd()),
  )
  if (!later) throw new Error('the checkpoint does not open')
  const tile = await server.app.inject(`/api/proofs/tile/0/000.p/${later.size}`)
  const bytes = tile.rawPayload
  const leaves = Array.from({ length: bytes.length / 32 }, (_, at) =>
    bytes.subarray(at * 32, at * 32 + 32),
  )
  expect(leaves).toHaveLength(later.size)
  expect(rootOf(leaves)).toEqual(later.root)
  for (let size = 1; size < later.size; size += 1) {
    const earlier = { size, root: rootOf(leaves.slice(0, size)) }
    const { hashes } = await fetchBody(`/api/proofs/consistency?from=${size}&to=${later.size}`)
    expect([size, isConsistent(earlier, later, fromBase64(hashes))]).toEqual([size, true])
  }
})
