import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openSmtp } from '#server/platform/mail/mail-transports.ts'
import { A_DAY_MS, createRevelation, keyHeaders, verifiedPerson } from '#testing/factories.ts'
import { startTestSmtp, type TestSmtp } from '#testing/mailbox.ts'
import { readZip } from '#testing/read-zip.ts'
import { type Person, startTestServer, type TestApp } from '#testing/test-server.ts'

let server: TestApp
let smtp: TestSmtp
let author: Person
let people: { email: string; name: string }[]

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
  people = Array.from({ length: 20 }, (_, index) => {
    const mark = crypto.randomUUID()
    return { email: `${mark}@exemple${index}.fr`, name: `Prénom ${mark}` }
  })
  smtp.received.length = 0
})

function sealForAll() {
  const { email = '' } = people[0] ?? {}
  return createRevelation(server, author, {
    target_email: email,
    recipients: people,
    visibility: 'private',
  })
}

function mailsTo(email: string) {
  return smtp.received.filter(({ to }) => to.includes(email))
}

/** Throws unless one link came with the last mail. */
function linkTo(email: string): string {
  const { text = '', html = '' } = mailsTo(email).at(-1) ?? {}
  const keys = new Set([...`${text}${html}`.matchAll(/#cle=([\w-]{43})/g)].map(([, key]) => key))
  const [key] = keys
  if (keys.size !== 1 || !key) throw new Error(`${keys.size} links came to ${email}`)
  return key
}

function call(method: string, path: string, reader: string | Person, body?: object) {
  const caller = typeof reader === 'string' ? { headers: keyHeaders(reader) } : { as: reader }
  return server.call(method, `/api/${path}`, { ...caller, ...(body && { body }) })
}

async function deliver(): Promise<void> {
  server.clock.advance(A_DAY_MS)
  await server.runJobs()
}

async function deliveriesOf(id: string) {
  const { body } = await call('GET', `revelations/${id}`, author)
  return body.revelation.deliveries as {
    id: string
    address: string
    state: string
    journal: { step: string }[]
  }[]
}

function stepsOf({ journal }: { journal: { step: string }[] }): string[] {
  return journal.map(({ step }) => step)
}

/** All that somebody with a link, or with an account, is shown of a letter and around it. */
async function shownTo(id: string, reader: string | Person): Promise<string> {
  const letter = ['', '/replies', '/comments'].map((part) => `revelations/${id}${part}`)
  const lists = ['revelations', 'revelations/received', 'notifications']
  const paths = typeof reader === 'string' ? letter : [...letter, ...lists]
  const answers = await Promise.all(paths.map((path) => call('GET', path, reader)))
  const { body } = await call('POST', `revelations/${id}/archive`, reader)
  const { rawPayload } = await server.app.inject({ url: body.url })
  const files = [...readZip(rawPayload)].flatMap(([path, bytes]) => [path, String(bytes)])
  return [...answers.map(({ text }) => text), ...files].join('\n')
}

function mailedTo(email: string): string {
  return mailsTo(email)
    .flatMap(({ text, html, headers }) => [text, html, ...headers.values()])
    .join('\n')
}

it('reaches twenty people apart: each opens, answers, and learns nothing of another', async () => {
  const { id } = await sealForAll()
  await deliver()
  const sealed = await deliveriesOf(id)
  const readers = people.map(({ email, name }, at) => {
    const [key, answer] = [linkTo(email), `Réponse ${crypto.randomUUID()}`]
    return { email, key, answer, secrets: [email, name, key, answer, sealed[at]?.id ?? ''] }
  })
  expect(new Set(readers.map(({ key }) => key)).size).toBe(20)
  for (const { key, answer } of readers) {
    const opening = await call('POST', `revelations/${id}/open`, key, { tell_author: true })
    const reply = await call('POST', `revelations/${id}/replies`, key, { content: answer })
    expect([opening.status, reply.status]).toEqual([200, 201])
  }
  await server.runJobs()

  const journal = (await deliveriesOf(id)).map((delivery) => [
    delivery.address,
    delivery.state,
    ...stepsOf(delivery),
  ])
  expect(journal).toEqual(
    readers.map(({ email }) => [email, 'opened', 'planned', 'sent', 'opened']),
  )
  const { replies } = (await call('GET', `revelations/${id}/replies`, author)).body
  const answers = replies.map(
    ({ content, from }: { content: string; from: { address: string } }) => [from.address, content],
  )
  expect(answers.sort()).toEqual(readers.map(({ email, answer }) => [email, answer]).sort())

  const accounts = new Map<string, Person>()
  for (const { email } of readers.slice(0, 3))
    accounts.set(email, await verifiedPerson(server, { email }))
  for (const { email, key, answer } of readers) {
    const account = accounts.get(email)
    const shown = [await shownTo(id, key), ...(account ? [await shownTo(id, account)] : [])]
    for (const text of shown) for (const own of [email, answer]) expect(text).toContain(own)
    const all = [...shown, mailedTo(email)].join('\n')
    const others = readers.filter((other) => other.email !== email)
    expect(
      others.flatMap(({ secrets }) => secrets).filter((secret) => all.includes(secret)),
    ).toEqual([])
  }
})

it('lets no one down when one link is revoked, one address is gone and one person wants no mail', async () => {
  const { id } = await sealForAll()
  await call('POST', 'email/notify-revelation', author, { revelationId: id })
  await server.runJobs()
  const [revoked = '', gone = '', stopped = '', ...others] = people.map(({ email }) => email)
  const [, token] = /#jeton=([\w-]+)$/m.exec(mailsTo(stopped)[0]?.text ?? '') ?? []
  const unsubscribed = await server.call('POST', `/api/email/unsubscribe?token=${token}`)
  expect(unsubscribed.status).toBe(200)
  smtp.behaviourTo = (address) => (address === gone ? 'no such address' : 'accept')
  await deliver()
  smtp.behaviourTo = () => 'accept'
  const [first] = await deliveriesOf(id)
  expect((await call('POST', `deliveries/${first?.id}/revoke`, author)).status).toBe(200)

  for (const email of others) {
    const opening = await call('POST', `revelations/${id}/open`, linkTo(email))
    expect(opening.status).toBe(200)
  }
  expect((await call('POST', `revelations/${id}/open`, linkTo(revoked))).body.code).toBe(
    'link_revoked',
  )
  expect([gone, stopped].map((email) => mailsTo(email).length)).toEqual([1, 1])
  const journal = (await deliveriesOf(id)).map((delivery) => stepsOf(delivery).slice(2).join(' '))
  expect(journal).toEqual(['sent revoked', 'failed', 'failed', ...others.map(() => 'sent opened')])
})
