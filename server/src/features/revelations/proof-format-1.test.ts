import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { AnyProof } from '#contract/proofs/proof.ts'
import { createRevelation } from '#testing/factories.ts'
import { convertToFormat1 } from '#testing/format-1.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { statesOf, verifyLive } from '#testing/verify-live.ts'

const A_MINUTE_MS = 60_000

let server: TestApp
let author: Person
/** Sealed by version 0.1.0. */
let ids: string[]

beforeAll(async () => {
  server = await startTestServer()
  author = await signedIn(server)
  ids = []
  for (let count = 0; count < 3; count += 1) {
    ids.push((await createRevelation(server, author, { visibility: 'friends' })).id)
  }
  await convertToFormat1(server, author)
})
afterAll(() => server.close())
beforeEach(() => server.clock.advance(A_MINUTE_MS))

async function proofOf(id: string): Promise<AnyProof> {
  const { status, body } = await server.call('GET', `/api/revelations/${id}/proof`, { as: author })
  expect(status).toBe(200)
  return body
}

async function editAndLog(id: string, body: object): Promise<void> {
  expect((await server.call('PUT', `/api/revelations/${id}`, { as: author, body })).status).toBe(
    200,
  )
  await server.runJobs()
}

it('exports a letter of before format 2 in the words of then, under a checkpoint with a date', async () => {
  await server.runJobs()
  const proof = await proofOf(ids[0] as string)
  expect(Object.keys(proof)).toEqual([
    ...['format', 'revelation_id', 'key', 'checkpoint', 'versions', 'opening'],
  ])
  const verdict = await verifyLive(server, proof)
  expect(verdict).toMatchObject({
    state: 'proved',
    checkpoint: { size: 3, dated: { v2From: 3, signedAt: server.clock.now.toISOString() } },
    facts: { format: 1, audiences: [] },
  })
})

it('binds all that comes later of such a letter to what was sealed then', async () => {
  const [, widened = '', edited = ''] = ids
  await editAndLog(widened, { visibility: 'public' })
  const since = server.clock.now.toISOString()
  const proof = await proofOf(widened)
  expect(proof).toMatchObject({ leaves: [{ format: 1 }, { format: 2, kind: 'change' }] })
  const shown = { audience: 'public', publicSince: since }
  const verdict = await verifyLive(server, proof, { shown })
  expect(verdict).toMatchObject({
    state: 'proved',
    facts: { format: 1, publicSince: since, isAudienceKnownFromStart: false },
  })
  expect(statesOf(verdict)).toMatchObject({ audience: 'passed', letter: 'passed' })

  server.clock.advance(A_MINUTE_MS)
  await editAndLog(edited, { title: 'Scellée de nouveau' })
  const again = await proofOf(edited)
  expect(again).toMatchObject({ opening: null, leaves: [{ format: 1 }, { format: 2 }] })
  expect(await verifyLive(server, again)).toMatchObject({
    state: 'proved',
    facts: { format: 2, version: 2, title: 'Scellée de nouveau' },
  })
  server.clock.advance(A_MINUTE_MS)
  await editAndLog(edited, { visibility: 'private', content: 'Une autre fois encore, autrement.' })
  expect(await verifyLive(server, await proofOf(edited))).toMatchObject({
    state: 'proved',
    facts: { version: 3, audiences: [{ value: 'friends' }, { value: 'private' }] },
  })
})
