import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { sendMail } from '#server/platform/mail/mail-queue.ts'
import { openSmtp } from '#server/platform/mail/mail-transports.ts'
import {
  A_DAY_MS,
  AN_HOUR_MS,
  createRevelation,
  toAll,
  verifiedPerson,
} from '#testing/factories.ts'
import { startTestSmtp, type TestSmtp } from '#testing/mailbox.ts'
import { handleSendMail, type Person, startTestServer, type TestApp } from '#testing/test-server.ts'
import { grantTurns } from './slow-domains.service.ts'

const A_SECOND_MS = 1_000

let server: TestApp
let smtp: TestSmtp
let author: Person
/** A domain of this test alone, and the tries to send to it. */
let slow: string
let tries: { atMs: number }[]

beforeAll(async () => {
  smtp = await startTestSmtp()
  server = await startTestServer({ mail: openSmtp(smtp.url, 'bonjour@revelations.test') })
})
afterAll(async () => {
  await server.close()
  await smtp.stop()
})

beforeEach(async () => {
  author = await verifiedPerson(server)
  await server.ctx.db
    .insertInto('subscriptions')
    .values({ userId: author.id, plan: 'unlimited' })
    .execute()
  slow = `${crypto.randomUUID()}.fr`
  tries = []
  smtp.received.length = 0
})
afterEach(async () => {
  smtp.behaviourTo = () => 'accept'
  await pass(30, 10 * A_SECOND_MS)
})

/** The slow domain accepts what this answers true for. */
function accepts(isAccepted: (address: string, nth: number) => boolean): void {
  smtp.behaviourTo = (address) => {
    if (!address.endsWith(slow)) return 'accept'
    tries.push({ atMs: server.clock.now.getTime() })
    return isAccepted(address, tries.length - 1) ? 'accept' : 'busy'
  }
}

/** Seals one letter to each of these addresses, the first one due first. */
async function sealDue(addresses: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const [index, target_email] of addresses.entries()) {
    const reveal_date = new Date(server.clock.now.getTime() + A_DAY_MS + index).toISOString()
    const { id } = await createRevelation(server, author, { target_email, reveal_date })
    ids.push(id)
  }
  await open()
  return ids
}

/** The instant of the letters: their mails are queued, and each is tried. */
async function open(): Promise<void> {
  server.clock.advance(A_DAY_MS + AN_HOUR_MS)
  await server.runJobs()
}

/** What the worker does with mails in these seconds, or in so many times `everyMs`. */
async function pass(times: number, everyMs = A_SECOND_MS): Promise<void> {
  for (let ran = 0; ran < times; ran += 1) {
    server.clock.advance(everyMs)
    await grantTurns(server.ctx)
    const jobs = await server.ctx.boss.fetch<{ mailId: string }>(sendMail.name, { batchSize: 50 })
    for (const { id, data } of jobs) {
      await handleSendMail(server.ctx, data)
      await server.ctx.boss.complete(sendMail.name, id)
    }
  }
}

function numbered(count: number, domain: string): string[] {
  return Array.from({ length: count }, (_, index) => `${10 + index}@${domain}`)
}

function reached(domain: string): string[] {
  return smtp.received.flatMap(({ to }) => to).filter((address) => address.endsWith(domain))
}

function waitsBetweenTries(): number[] {
  return tries.slice(1).map(({ atMs }, at) => atMs - (tries[at]?.atMs ?? 0))
}

async function stepsOf(id: string): Promise<string[]> {
  const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
  return body.revelation.delivery.journal.map(({ step }: { step: string }) => step)
}

it('leaves in order and at a pace for a domain that puts off half of it, and at once for others', async () => {
  const targets = numbered(6, slow)
  const others = numbered(6, 'autre.test')
  accepts((_address, nth) => nth % 2 === 1)
  const ids = await sealDue(targets.flatMap((target, at) => [target, others[at] ?? '']))
  expect(reached('autre.test').sort()).toEqual(others)
  await pass(30)
  expect(reached(slow)).toEqual(targets)
  expect(tries).toHaveLength(12)
  expect(Math.min(...waitsBetweenTries())).toBeGreaterThanOrEqual(A_SECOND_MS)
  // What was put off for some seconds was not late.
  for (const id of ids) expect(await stepsOf(id)).toEqual(['planned', 'sent'])
})

it('is tried once a minute at a domain that accepts nothing, and its author reads why', async () => {
  accepts(() => false)
  const [id = ''] = await sealDue(numbered(2, slow))
  await pass(48, 10 * A_SECOND_MS)
  expect(waitsBetweenTries().at(-1)).toBe(60 * A_SECOND_MS)
  const { body } = await server.call('GET', `/api/revelations/${id}`, { as: author })
  expect(body.revelation.delivery).toMatchObject({
    state: 'planned',
    error: 'La messagerie du destinataire demande de patienter. Un nouvel essai suivra.',
  })
  expect(await stepsOf(id)).toEqual(['planned', 'delayed'])
  accepts(() => true)
  await pass(7, 10 * A_SECOND_MS)
  expect(reached(slow)).toHaveLength(2)
})

it('lets others pass when it is itself what its domain puts off', async () => {
  const [spam = '', ...others] = numbered(3, slow)
  accepts((address) => address !== spam)
  await sealDue([spam, ...others])
  await pass(12, 10 * A_SECOND_MS)
  expect(reached(slow).sort()).toEqual(others)
  accepts(() => true)
  await pass(7, 10 * A_SECOND_MS)
  expect(reached(slow).at(-1)).toBe(spam)
})

it('slows nobody down where one mailbox is full', async () => {
  const [full = '', ...others] = numbered(4, slow)
  smtp.behaviourTo = (address) => (address === full ? 'full mailbox' : 'accept')
  await sealDue([full, ...others])
  expect(reached(slow).sort()).toEqual(others)
})

it('waits for no turn any more once its domain accepted twenty of them', async () => {
  const targets = numbered(23, slow)
  accepts((_address, nth) => nth > 0)
  await sealDue(targets)
  await pass(20)
  expect(reached(slow)).toEqual(targets.slice(0, 20))
  await pass(1)
  expect(reached(slow).sort()).toEqual(targets)
})

it('hands its turn on when it was withdrawn meanwhile', async () => {
  const targets = numbered(3, slow)
  accepts((_address, nth) => nth > 0)
  const [id] = await sealDue(targets)
  await server.call('DELETE', `/api/revelations/${id}`, { as: author })
  await pass(5)
  expect(reached(slow)).toEqual(targets.slice(1))
})

it('leaves first for the first person of each letter', async () => {
  const people = numbered(6, slow)
  for (const some of [people.slice(0, 3), people.slice(3)])
    await createRevelation(server, author, toAll(...some))
  accepts((_address, nth) => nth > 0)
  await open()
  await pass(10)
  expect(reached(slow).slice(0, 2).sort()).toEqual([people[0], people[3]])
  expect(reached(slow)).toHaveLength(6)
})
