import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openCheckpoint, parseLogKey } from '#contract/proofs/checkpoint.ts'
import { compareCheckpoints } from '#contract/proofs/continuity.ts'
import { createRevelation } from '#testing/factories.ts'
import { openCheckpoint as openElsewhere } from '#testing/independent-verifier/log.ts'
import { instantInWords, ProofBrowser } from '#testing/proof-browser.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { statesOf, verifyLive } from '#testing/verify-live.ts'

const A_MINUTE_MS = 60_000

/** One server with one key that shows each half of its public another log. */
let one: TestApp
let other: TestApp
let authors: [Person, Person]

beforeAll(async () => {
  one = await startTestServer()
  const masterKeyFile = path.join(one.ctx.config.dataDir, 'keys/master.key')
  other = await startTestServer({ config: { masterKeyFile } })
  authors = [await signedIn(one), await signedIn(other)]
})
afterAll(() => Promise.all([one.close(), other.close()]))

/** What it signs once it has sealed so many more. */
async function signed(server: TestApp, author: Person, count: number): Promise<string> {
  for (let done = 0; done < count; done += 1) await createRevelation(server, author)
  server.clock.advance(A_MINUTE_MS)
  await server.runJobs()
  return (await server.call('GET', '/api/proofs/checkpoint')).text
}

async function keyOf(server: TestApp): Promise<string> {
  return (await server.call('GET', '/api/proofs/key')).text.trim()
}

/** What each log has to say between two sizes. */
async function allHashes(from: number, to: number): Promise<string[][]> {
  const url = `/api/proofs/consistency?from=${from}&to=${to}`
  const answers = await Promise.all([one, other].map((server) => server.call('GET', url)))
  return answers.flatMap(({ body }) => (body.hashes ? [body.hashes] : []))
}

it('two checkpoints of forked logs, signed with one key, are distinguished by both verifiers', async () => {
  const [author, forger] = authors
  const heads = [await signed(one, author, 2), await signed(other, forger, 2)]
  const now = [await signed(one, author, 2), await signed(other, forger, 1)]
  const key = await keyOf(one)
  expect(await keyOf(other)).toBe(key)
  const logKey = parseLogKey(key)
  const states: string[] = []
  for (const [at, earlier] of heads.entries()) {
    for (const [to, later] of now.entries()) {
      const [from, until] = [earlier, later].map((note) => logKey && openCheckpoint(note, logKey))
      expect([from, until].map((opened) => opened?.size)).toEqual(
        [earlier, later].map((note) => openElsewhere(note, key)?.size),
      )
      if (!from || !until) throw new Error('It does not open')
      const verdicts = (await allHashes(from.size, until.size)).map(
        (hashes) => compareCheckpoints(from, until, hashes).state,
      )
      const isOne = verdicts.includes('passed')
      states.push(`${at} to ${to}: ${isOne ? 'one log' : 'forked'}`)
    }
  }
  expect(states).toEqual(['0 to 0: one log', '0 to 1: forked', '1 to 0: forked', '1 to 1: one log'])
})

it('a proof of either log is refused after a checkpoint of the other', async () => {
  const [author, forger] = authors
  const { id } = await createRevelation(one, author)
  const forked = await signed(other, forger, 0)
  const own = await signed(one, author, 0)
  const { text } = await one.call('GET', `/api/revelations/${id}/proof`, { as: author })
  const proof = JSON.parse(text)
  const [size = 0, elsewhere = 0] = [own, forked].map(
    (note) => openElsewhere(note, proof.key)?.size,
  )
  const offered = await allHashes(Math.min(size, elsewhere), Math.max(size, elsewhere))
  expect(offered).not.toEqual([])
  for (const consistency of offered) {
    const held = { key: proof.key, note: forked, source: 'met' as const, consistency }
    const since = one.clock.now.toISOString()
    const verdict = await verifyLive(one, proof, { held: [{ ...held, since }] })
    expect(verdict.state).toBe('failed')
    expect(statesOf(verdict)).toMatchObject({ inclusion: 'passed', continuity: 'failed' })
  }
})

it('a browser that is shown both halves keeps the first until they are linked, and then says for ever that they cannot be', async () => {
  const [author, forger] = [await signedIn(one), await signedIn(other)]
  const { id } = await createRevelation(one, author)
  await signed(one, author, 0)
  const there = await createRevelation(other, forger)
  await signed(other, forger, 4)
  const browser = new ProofBrowser()
  expect((await browser.visit(one, id, { as: author })).state).toBe('proved')
  const since = instantInWords(one.clock.now)

  // The other half cannot answer about what it never held, and keeps silent.
  const visitOther = (isSilent: boolean) => browser.visit(other, there.id, { as: forger, isSilent })
  const waiting = `Le journal n’a pas répondu\u202F: le point de contrôle gardé depuis le ${since} reste en mémoire, et le nouveau attend d’être relié à lui.`
  expect(await visitOther(true)).toMatchObject({
    state: 'partly',
    headline:
      'Ce qui peut être vérifié maintenant concorde\u202F; il manque la réponse du journal.',
    sentences: ['Publique depuis son scellement.'],
    open: [waiting],
  })
  await visitOther(true)
  expect((await visitOther(true)).open).toEqual([
    `Le journal ne répond pas depuis le ${instantInWords(other.clock.now)} (3 fois)\u202F: tant qu’il se tait, rien ne relie ces deux points de contrôle.`,
  ])
  const forked = {
    headline: 'Quelque chose ne concorde pas.',
    failed: [
      'Ce point de contrôle et celui déjà rencontré ne peuvent pas appartenir au même journal\u202F: son passé a été réécrit.',
    ],
  }
  expect(await visitOther(false)).toMatchObject(forked)
  const kept =
    /^Ce journal s’est contredit le .*\u202F: les deux points de contrôle sont gardés ici\.$/
  expect((await visitOther(true)).failed).toEqual([expect.stringMatching(kept)])
  expect((await browser.visit(one, id, { as: author })).failed).toEqual([
    expect.stringMatching(kept),
  ])
})
