import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AnyProof } from '#contract/proofs/proof.ts'
import { CHECKPOINT_EVERY_MS, growLog } from '#server/features/proofs/growth.service.ts'
import {
  A_DAY_MS,
  createRevelation,
  keyHeaders,
  sealPrivate,
  toAll,
  verifiedPerson,
} from '#testing/factories.ts'
import { readZip } from '#testing/read-zip.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { mailedCheckpoints, verifyOffline } from '#testing/verify-offline.ts'

let server: TestApp
let author: Person
/** Whose letters make the log grow. */
let other: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await verifiedPerson(server)
  other = await signedIn(server)
  const plan = { userId: other.id, plan: 'unlimited' as const }
  await server.ctx.db.insertInto('subscriptions').values(plan).execute()
  await growBy(2)
})
afterAll(() => server.close())

/** Other letters, each in a checkpoint of its own. */
async function growBy(count: number): Promise<void> {
  for (let one = 0; one < count; one += 1) {
    await createRevelation(server, other, { visibility: 'private' })
    server.clock.advance(CHECKPOINT_EVERY_MS)
    await growLog(server.ctx)
  }
}

interface Reader {
  as?: Person
  key?: string
}

async function proofSeenBy(id: string, { as, key }: Reader = {}): Promise<AnyProof> {
  const { status, body } = await server.call('GET', `/api/revelations/${id}/proof`, {
    as,
    headers: keyHeaders(key),
  })
  expect(status).toBe(200)
  return body
}

async function sizesSeenBy(id: string, reader: Reader = {}): Promise<number[] | undefined> {
  return (await proofSeenBy(id, reader)).consistency?.map(({ from }) => from)
}

async function logSize(): Promise<number> {
  const { text } = await server.call('GET', '/api/proofs/checkpoint')
  return Number(text.split('\n')[1])
}

/** A letter to these addresses whose mails leave one by one, each from another size of the log. */
async function sealToSeveral(visibility: 'public' | 'private', ...addresses: string[]) {
  const revelation = await createRevelation(server, author, { visibility, ...toAll(...addresses) })
  await server.runJobs()
  const atSealing = await logSize()
  await growBy(1)
  const body = { revelationId: revelation.id }
  await server.call('POST', '/api/email/notify-revelation', { as: author, body })
  await server.runJobs()
  const atNotice = await logSize()
  await growBy(2)
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
  const atOpening = await logSize()
  await growBy(1)
  expect(new Set([atSealing, atNotice, atOpening]).size).toBe(3)
  return { id: revelation.id as string, revelation, atSealing, atNotice, atOpening }
}

describe('a checkpoint that was mailed', () => {
  it('verifies without a network beside the exported proof, though the log grew since', async () => {
    const { id, address } = await sealPrivate(server, author)
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    const mail = server.mailbox.lastTo(address)
    const key = server.mailbox.lastKeyTo(address)
    const mailed = mailedCheckpoints(mail)
    expect(mailed).toHaveLength(1)
    await growBy(3)
    const proof = await proofSeenBy(id, { key })
    const answer = await verifyOffline(server, proof, mailed)
    expect([answer.state, answer.steps.continuity]).toEqual(['proved', 'passed'])
    const { consistency: _, ...without } = proof
    const alone = await verifyOffline(server, without, mailed)
    expect([alone.state, alone.steps.continuity]).toEqual(['partly', 'later'])
  })

  it('is in both archives, for the mailbox that it went to', async () => {
    const address = author.email
    const { id } = await createRevelation(server, author, { target_email: address })
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    const mailed = mailedCheckpoints(server.mailbox.lastTo(address))
    await growBy(1)
    const zips = await Promise.all(
      ['/api/auth/export', `/api/revelations/${id}/archive`].map(async (url) => {
        const { body } = await server.call('POST', url, { as: author })
        return readZip((await server.app.inject({ url: body.url })).rawPayload)
      }),
    )
    for (const files of zips) {
      const proof = JSON.parse(String(files.get(`preuves/preuve-${id}.json`)))
      const answer = await verifyOffline(server, proof, mailed)
      expect([answer.state, answer.steps.continuity]).toEqual(['proved', 'passed'])
    }
  })
})

describe('the sizes in a proof', () => {
  it('are those of the viewer’s own mails, and nobody else’s', async () => {
    const [first, second] = [await verifiedPerson(server), await verifiedPerson(server)]
    const sealed = await sealToSeveral('public', first.email, second.email)
    const { id, atSealing, atNotice, atOpening } = sealed
    expect(await sizesSeenBy(id, { as: author })).toEqual([atSealing])
    expect(await sizesSeenBy(id, { as: first })).toEqual([atOpening, atNotice])
    expect(await sizesSeenBy(id)).toBeUndefined()
    expect(await sizesSeenBy(id, { as: await signedIn(server) })).toBeUndefined()

    // To one of them alone: the other learns nothing of it.
    await growBy(1)
    const atResending = await logSize()
    const [delivery] = sealed.revelation.deliveries
    await server.call('POST', `/api/deliveries/${delivery.id}/resend`, { as: author })
    await server.runJobs()
    await growBy(1)
    const ofFirst = [atResending, atOpening, atNotice]
    expect(await sizesSeenBy(id, { as: first })).toEqual(ofFirst)
    expect(await sizesSeenBy(id, { as: second })).toEqual([atOpening, atNotice])
    expect(await sizesSeenBy(id, { key: server.mailbox.lastKeyTo(first.email) })).toEqual(ofFirst)
    expect(await sizesSeenBy(id, { as: author })).toEqual([atSealing])
  })

  it('say the same of a letter that was opened quietly and of one that was not opened', async () => {
    const letters = [await sealPrivate(server, author), await sealPrivate(server, author)]
    await server.runJobs()
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    const [quiet] = letters.map(({ address }) => server.mailbox.lastKeyTo(address))
    const { status } = await server.call('POST', `/api/revelations/${letters[0]?.id}/open`, {
      headers: keyHeaders(quiet),
      body: { tell_author: false },
    })
    expect(status).toBe(200)
    await growBy(1)
    server.clock.advance(8 * A_DAY_MS)
    await server.runJobs()
    const reminded = letters.map(({ address }) => server.mailbox.lastTo(address)?.subject)
    expect(new Set(reminded).size).toBe(2)
    await growBy(1)
    for (const as of [author, undefined]) {
      const [opened, waiting] = await Promise.all(
        letters.map(({ id, address }) =>
          sizesSeenBy(id, as ? { as } : { key: server.mailbox.lastKeyTo(address) }),
        ),
      )
      expect(opened).toHaveLength(1)
      expect(opened).toEqual(waiting)
    }
  })

  it('are told neither to the link that is given by hand, nor to who joins the letter by it', async () => {
    const { id, deliveryId, address } = await sealPrivate(server, author)
    const given = await server.call('POST', `/api/deliveries/${deliveryId}/link`, { as: author })
    const handed = String(given.body.url).split('#cle=')[1] ?? ''
    server.clock.advance(A_DAY_MS)
    await server.runJobs()
    const mailedKey = server.mailbox.lastKeyTo(address)
    await growBy(1)
    const [byHand, byMail] = [await signedIn(server), await signedIn(server)]
    for (const [as, key] of [
      [byHand, handed],
      [byMail, mailedKey],
    ] as const) {
      const headers = keyHeaders(key)
      await server.call('POST', `/api/revelations/${id}/save`, { as, headers })
    }
    expect(await sizesSeenBy(id, { key: handed })).toBeUndefined()
    expect(await sizesSeenBy(id, { as: byHand })).toBeUndefined()
    expect(await sizesSeenBy(id, { key: mailedKey })).toHaveLength(1)
    expect(await sizesSeenBy(id, { as: byMail })).toHaveLength(1)
  })

  it('do not follow a delivery to its next address', async () => {
    const { id, deliveryId, address } = await sealPrivate(server, author, { visibility: 'public' })
    await server.call('POST', '/api/email/notify-revelation', {
      as: author,
      body: { revelationId: id },
    })
    await server.runJobs()
    expect(server.mailbox.lastTo(address)).toBeDefined()
    await growBy(1)
    const next = await verifiedPerson(server)
    const body = { address: next.email }
    await server.call('PUT', `/api/deliveries/${deliveryId}`, { as: author, body })
    expect(await sizesSeenBy(id, { as: next })).toBeUndefined()
  })
})
