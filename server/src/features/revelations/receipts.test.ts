import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProofV2 } from '#contract/proofs/proof.ts'
import { CHECKPOINT_EVERY_MS, growLog } from '#server/features/proofs/growth.service.ts'
import {
  A_DAY_MS,
  AN_HOUR_MS,
  createRevelation,
  keyHeaders,
  sealDelivered,
  verifiedPerson,
} from '#testing/factories.ts'
import { readZip } from '#testing/read-zip.ts'
import { type Person, signedIn, startTestServer, type TestApp } from '#testing/test-server.ts'
import { mailedCheckpoints, verifyOffline } from '#testing/verify-offline.ts'

let server: TestApp
let author: Person
let stranger: Person

beforeAll(async () => {
  server = await startTestServer()
  author = await verifiedPerson(server)
  stranger = await signedIn(server)
  const plan = { userId: author.id, plan: 'unlimited' as const }
  await server.ctx.db.insertInto('subscriptions').values(plan).execute()
})
afterAll(() => server.close())
beforeEach(() => grow())

async function grow(): Promise<void> {
  server.clock.advance(CHECKPOINT_EVERY_MS)
  await growLog(server.ctx)
}

const receiptOf = (id: string, as: Person | undefined = author) =>
  server.call('GET', `/api/revelations/${id}/receipt`, { as })
const proofOf = (id: string) => server.call('GET', `/api/revelations/${id}/proof`, { as: author })
const mailIt = (id: string, as: Person | undefined = author) =>
  server.call('POST', `/api/revelations/${id}/receipt/mail`, { as })

async function sealLogged(overrides = {}): Promise<string> {
  const { id } = await createRevelation(server, author, overrides)
  await grow()
  return id
}

async function edit(id: string, body: object): Promise<void> {
  const { status } = await server.call('PUT', `/api/revelations/${id}`, { as: author, body })
  expect(status).toBe(200)
}

describe('a receipt', () => {
  it('is there once the log holds the letter, and proves it on both verifiers', async () => {
    const { id, created_at } = await createRevelation(server, author)
    const pending = await receiptOf(id)
    expect([pending.status, pending.body.code]).toEqual([409, 'receipt_pending'])
    await grow()
    const { status, body } = await receiptOf(id)
    expect(status).toBe(200)
    const answer = await verifyOffline(server, body, [])
    expect(answer).toMatchObject({ state: 'proved', facts: { sealed_at: created_at, version: 1 } })
    expect(answer.facts?.fields).toContainEqual({
      ...{ name: 'content', type: 'text', value: 'Il fera beau toute la journée.' },
    })
  })

  it('stays the same byte for byte, under the first checkpoint that covers the version', async () => {
    const id = await sealLogged()
    const first = await receiptOf(id)
    expect(first.text).toBe((await proofOf(id)).text)
    await sealLogged()
    // Who may see it is no part of what was sealed then.
    await edit(id, { visibility: 'private' })
    await grow()
    server.clock.advance(2 * A_DAY_MS)
    const later = await receiptOf(id)
    expect(later.text).toBe(first.text)
    expect((await proofOf(id)).text).not.toBe(first.text)
    expect((await verifyOffline(server, later.body, [])).state).toBe('proved')
  })

  it('is of the last version: that of the one before is what was downloaded', async () => {
    const id = await sealLogged()
    const { body: ofFirst } = await receiptOf(id)
    await edit(id, { content: 'Il fera meilleur encore.' })
    expect((await receiptOf(id)).body.code).toBe('receipt_pending')
    await grow()
    const { body: ofSecond } = await receiptOf(id)
    const contentsIn = ({ leaves }: ProofV2) =>
      leaves.map(
        (leaf) =>
          'fields' in leaf && leaf.fields.some((one) => 'value' in one && one.name === 'content'),
      )
    expect(contentsIn(ofSecond)).toEqual([false, true])
    expect((await verifyOffline(server, ofSecond, [])).facts?.version).toBe(2)
    expect((await verifyOffline(server, ofFirst, [])).facts?.version).toBe(1)
  })

  it('is its author’s alone: to everybody else there is nothing, whatever they may read', async () => {
    const { id, key } = await sealDelivered(server, author, { visibility: 'public' })
    await grow()
    const nowhere = await receiptOf('00000000-0000-4000-8000-000000000000', stranger)
    for (const ask of [receiptOf, mailIt]) {
      const { status, text } = await ask(id, stranger)
      expect([status, text]).toEqual([404, nowhere.text])
    }
    const headers = keyHeaders(key)
    const url = `/api/revelations/${id}/receipt`
    expect((await server.call('GET', url, { as: stranger, headers })).status).toBe(404)
    expect((await server.call('GET', url, { headers })).status).toBe(401)
    await server.call('DELETE', `/api/revelations/${id}`, { as: author })
    expect((await receiptOf(id)).text).toBe(nowhere.text)
  })

  it('is in the archives of its author, with a sentence about it, and in nobody else’s', async () => {
    const { id, key } = await sealDelivered(server, author)
    await grow()
    const name = `recus/recu-${id}.json`
    const archive = `/api/revelations/${id}/archive`
    const unpack = async (url: string, how: { as?: Person; headers?: Record<string, string> }) => {
      const { body } = await server.call('POST', url, how)
      return readZip((await server.app.inject({ url: body.url })).rawPayload)
    }
    const { body: receipt } = await receiptOf(id)
    for (const url of ['/api/auth/export', archive]) {
      const files = await unpack(url, { as: author })
      expect(JSON.parse(String(files.get(name)))).toEqual(receipt)
      const readMe = files.get('LISEZ-MOI.txt')
      if (readMe) expect(String(readMe)).toContain('garde le reçu de chaque lettre')
    }
    const ofReader = await unpack(archive, { headers: keyHeaders(key) })
    expect([...ofReader.keys()].filter((name) => name.includes('recu-'))).toEqual([])
    expect(String(ofReader.get('LISEZ-MOI.txt') ?? '')).not.toContain('reçu')
  })
})

describe('the mail of a receipt', () => {
  it('leaves once for those who ask twice, with nothing of the letter, and verifies by itself', async () => {
    const { id } = await createRevelation(server, author, { content: 'Un secret bien gardé.' })
    expect((await mailIt(id)).body.code).toBe('receipt_pending')
    await grow()
    await server.runJobs()
    await sealLogged()
    server.mailbox.all.splice(0)
    expect((await mailIt(id)).body).toEqual({ queued: true })
    expect((await mailIt(id)).body).toEqual({ queued: false })
    await server.runJobs()
    const mails = server.mailbox.all.filter(({ subject }) => subject.includes('reçu'))
    expect(mails.map(({ to }) => to)).toEqual([author.email])
    const [mail] = mails
    const names = mail?.attachments?.filter(({ cid }) => !cid).map(({ filename }) => filename)
    expect(names).toEqual([`recu-${id}.json`, 'preuve.txt'])
    expect(JSON.stringify(mail)).not.toContain('Un secret bien gardé')
    const file = mail?.attachments?.find(({ filename }) => filename.startsWith('recu-'))
    const receipt = JSON.parse(String(file?.content))
    const answer = await verifyOffline(server, receipt, mailedCheckpoints(mail))
    expect(answer).toMatchObject({
      state: 'partly',
      steps: { inclusion: 'passed', letter: 'later', continuity: 'passed' },
    })
    // The whole one, and any later proof, continue it.
    await sealLogged()
    for (const { body } of [await receiptOf(id), await proofOf(id)]) {
      const whole = await verifyOffline(server, body, mailedCheckpoints(mail))
      expect([whole.state, whole.steps.continuity]).toEqual(['proved', 'passed'])
    }
  })

  it('waits for the log after an edit, and leaves to no address that is not verified', async () => {
    const id = await sealLogged()
    await mailIt(id)
    await edit(id, { title: 'Un autre titre' })
    server.mailbox.all.splice(0)
    const { ctx } = server
    const unverified = { userId: stranger.id, plan: 'unlimited' as const }
    await ctx.db.insertInto('subscriptions').values(unverified).execute()
    const { id: ofStranger } = await createRevelation(server, stranger)
    await grow()
    const refused = await mailIt(ofStranger, stranger)
    expect([refused.status, refused.body.code]).toEqual([403, 'forbidden'])
    expect(refused.body.error).toContain('n’est pas vérifiée')
    await server.runJobs()
    const [mail] = server.mailbox.all.filter(({ subject }) => subject.includes('reçu'))
    const file = mail?.attachments?.find(({ filename }) => filename.startsWith('recu-'))
    expect(JSON.parse(String(file?.content)).leaves).toHaveLength(2)
  })

  it('is one of several in a mail that had to wait, each with its own checkpoint', async () => {
    const ids: string[] = []
    for (let count = 0; count < 7; count += 1) ids.push(await sealLogged())
    server.ctx.config.http.rateLimits = true
    await server.runJobs()
    for (const id of ids) await mailIt(id)
    await server.runJobs()
    server.mailbox.all.splice(0)
    server.clock.advance(2 * AN_HOUR_MS)
    await server.runJobs()
    const mail = server.mailbox.all.find(({ attachments }) =>
      attachments?.some(({ filename }) => filename.startsWith('recu-')),
    )
    const receipts = mail?.attachments?.filter(({ filename }) => filename.startsWith('recu-')) ?? []
    expect(receipts.length).toBeGreaterThan(1)
    const mailed = mailedCheckpoints(mail)
    expect(mailed).toHaveLength(receipts.length)
    for (const { content } of receipts)
      expect(mailed).toContain(JSON.parse(String(content)).checkpoint)
  })
})
