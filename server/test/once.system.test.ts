import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { clientOf } from '#testing/http-client.ts'
import { toneAudio } from '#testing/media-files.ts'
import { findFreePort, type Program, startProgram } from '#testing/program.ts'
import { createEmptyDatabase, type TestDatabase } from '#testing/test-database.ts'
import { type Person, registered } from '#testing/test-server.ts'
import { uploadVoice } from '#testing/voice-messages.ts'

/** Of each of four kinds: 200 creations in all. */
const OF_EACH = Number(process.env.ONCE_OF_EACH ?? 50)
const KILLS = 10
const AT_ONCE = 6
/** After every sample of a new calendar, whenever this runs. */
const FAR_DAY = '2099-01-01'

let folder: string
let database: TestDatabase
let apis: [Program, Program]
let worker: Program
let environment: Record<string, string>

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'revelations-once-'))
  database = await createEmptyDatabase()
  environment = { DATABASE_URL: database.url, DATA_DIR: path.join(folder, 'data') }
  // The first makes the tables and the key.
  worker = await startProgram({ ...environment, ROLE: 'worker' })
  apis = [await startApi(), await startApi()]
}, 120_000)
afterAll(async () => {
  await Promise.all([...apis, worker].map((program) => program.end('SIGTERM')))
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function startApi(): Promise<Program> {
  return startProgram({ ...environment, ROLE: 'api', PORT: String(await findFreePort()) })
}

/** To the programs by turns; cuts half of all connections at a random byte of the request or of the answer. */
async function openProxy() {
  let [turn, cuts] = [0, 0]
  const server = net.createServer((client) => {
    turn += 1
    const { port } = new URL((apis[turn % 2] as Program).origin)
    const upstream = net.connect(Number(port), '127.0.0.1')
    const end = () => {
      client.destroy()
      upstream.destroy()
    }
    const cut = randomInt(2) === 1 ? randomInt(2) : undefined
    let left = randomInt(cut === 0 ? 900 : 1_800)
    const pass = (from: net.Socket, to: net.Socket, side: number) =>
      from.on('data', (bytes) => {
        left -= cut === side ? bytes.length : 0
        if (left >= 0) return to.write(bytes)
        cuts += 1
        return end()
      })
    pass(client, upstream, 0)
    pass(upstream, client, 1)
    for (const socket of [client, upstream]) socket.on('error', end).on('close', end)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  return { port, cuts: () => cuts, close: () => server.close() }
}

interface Creation {
  as: Person
  url: string
  key: string
  body: Record<string, unknown>
  /** Its words are nobody else’s. */
  words: string
}

/** The status, on a connection of its own; undefined when it was cut. */
async function post(port: number, { as, url, key, body }: Creation): Promise<number | undefined> {
  const request = http.request({ port, host: '127.0.0.1', path: url, method: 'POST', agent: false })
  request.setHeader('authorization', `Bearer ${as.token}`)
  request.setHeader('content-type', 'application/json')
  request.setHeader(IDEMPOTENCY_HEADER, key)
  try {
    request.end(JSON.stringify(body))
    const [response] = (await once(request, 'response')) as [http.IncomingMessage]
    await text(response)
    return response.statusCode
  } catch {
    return undefined
  }
}

/** Asks until it is answered 201, as a page does. Answers how often it asked. */
async function create(port: number, creation: Creation): Promise<number> {
  for (let asked = 1; ; asked += 1) {
    const status = await post(port, creation)
    if (status === 201) return asked
    // Cut, under way on the other side of a cut, or about to start.
    if (![undefined, 409, 503].includes(status)) throw new Error(`${creation.url}: ${status}`)
    await wait(randomInt(20))
  }
}

async function prepare(): Promise<Creation[]> {
  const client = clientOf(apis[0].origin)
  const people = await Promise.all(Array.from({ length: 5 }, () => registered(client)))
  const bytes = await toneAudio('webm', 1)
  const today = new Date().toISOString()
  const letter = {
    title: 'Une fois pour toutes',
    content: 'Sous elle, on commente.',
    target_email: 'tout.le.monde@exemple.test',
    reveal_date: '2099-01-01',
  }
  const as = people[0] as Person
  const { body } = await client.call('POST', '/api/revelations', { as, body: letter })
  const kinds: ((words: string, as: Person) => Promise<Pick<Creation, 'url' | 'body'>>)[] = [
    async (words) => ({
      url: '/api/revelations',
      body: {
        ...{ ...letter, content: `Une lettre, ${words}`, target_email: `${words}@exemple.test` },
        reveal_date: today,
      },
    }),
    async (words) => ({
      url: '/api/comments',
      body: { revelation_id: body.revelation.id, content: words },
    }),
    async (words, as) => ({
      url: '/api/family-sounds',
      body: { title: words, file_url: await uploadVoice(client, as, { bytes }) },
    }),
    async (words) => ({
      url: '/api/calendar-events',
      body: { title: words, date: FAR_DAY, type: 'holiday' },
    }),
  ]
  const creations: Creation[] = []
  for (let n = 0; n < OF_EACH; n += 1) {
    for (const kind of kinds) {
      const [as, words] = [people[n % people.length] as Person, randomUUID()]
      creations.push({ as, words, key: randomUUID(), ...(await kind(words, as)) })
    }
  }
  return creations
}

/** The addresses of the mails in the outbox, each as often as it was written to. */
async function listMailed(): Promise<string[]> {
  const outbox = path.join(folder, 'data', 'outbox')
  const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml'))
  const mails = await Promise.all(names.map((name) => readFile(path.join(outbox, name), 'utf8')))
  return mails.map((mail) => /^To: [^<]*<([^<>\s]+)>/m.exec(mail)?.[1] ?? 'nobody')
}

const MADE = `
  select address from deliveries where address like '%-%@exemple.test'
  union all select content from comments
  union all select title from sounds
  union all select title from calendar_events where day = '${FAR_DAY}'`

it(`${4 * OF_EACH} creations over cut lines and ${KILLS} kills are made once each`, async () => {
  const creations = await prepare()
  const proxy = await openProxy()
  const waiting = [...creations]
  let [asked, done, kills] = [0, 0, 0]
  const work = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const tries = await create(proxy.port, next)
      asked += tries
      done += 1
    }
  }
  /** One of the two after the other, when so many are done that all kills fall among them. */
  const strike = async () => {
    while (kills < KILLS) {
      while (done < (kills * creations.length) / (KILLS + 1)) await wait(5)
      const at = kills % 2
      await (apis[at] as Program).end('SIGKILL')
      kills += 1
      apis[at] = await startApi()
    }
  }
  await Promise.all([strike(), ...Array.from({ length: AT_ONCE }, work)])
  console.info(`${creations.length} made, ${asked} asked, ${proxy.cuts()} cut, ${kills} killed`)

  const client = new pg.Client(database.url)
  await client.connect()
  const { rows } = await client.query<{ address: string }>(MADE)
  await client.end()
  const nameOf = ({ body, words }: Creation) => body.target_email ?? words
  expect(rows.map(({ address }) => address).sort()).toEqual(creations.map(nameOf).sort())

  for (const { body, ...creation } of creations) {
    const other = {
      ...body,
      ...('content' in body ? { content: 'D’autres mots' } : { title: 'Autre' }),
    }
    expect(await post(Number(new URL(apis[0].origin).port), { ...creation, body: other })).toBe(422)
  }

  const addressees = creations.flatMap(({ body }) => (body.target_email as string) ?? [])
  const mailed = async () => (await listMailed()).filter((address) => addressees.includes(address))
  await expect
    .poll(async () => new Set(await mailed()).size, { timeout: 120_000 })
    .toBe(addressees.length)
  expect((await mailed()).sort()).toEqual(addressees.sort())
  proxy.close()
}, 600_000)
