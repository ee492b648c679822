import { setTimeout as delay } from 'node:timers/promises'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine, watchForeignCpu } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { type Program, startProgram } from './harness/program.ts'
import { startMailSink } from './mails.ts'

const NETWORKS = 50
const HONEST = 5
const PASSWORD = 'mot de passe de mesure'
const VICTIM = 'grand.mere@exemple.test'
const OPENS_IN_MS = 20_000
const FILE_BYTES = 5 * 1024 * 1024

interface Answer {
  status: number
  ms: number
  // biome-ignore lint/suspicious/noExplicitAny: each door answers its own shape
  body: any
}

interface Sent {
  from: string
  token?: string | undefined
  body?: object | FormData
}

type Send = (method: string, url: string, sent: Sent) => Promise<Answer>

/**
 * The calls that succeed while fifty networks flood a mailbox, guess passwords, lock an account and fill the disk for
 * `--seconds`, and how honest people are served before and meanwhile.
 */
export async function run({ seconds }: Options, atEnd: AtEnd): Promise<void> {
  const lastsMs = seconds * 1000
  const folder = await createFolder(atEnd)
  const { url, arrivals } = await startMailSink(atEnd)
  const program = await startProgram(
    folder,
    { RATE_LIMITS: 'on', SMTP_URL: url, DISK_RESERVE_MB: '0' },
    atEnd,
  )
  const send = senderOf(program)
  const honest = await Promise.all(
    Array.from({ length: HONEST }, (_, n) => register(send, `honnete_${n}`, networkOf(200 + n))),
  )
  console.log(describeMachine())
  const foreignCoresOf = await watchForeignCpu()
  const before = await liveOn(send, honest, lastsMs / 4)
  const tally = new Map<string, Map<number, number>>()
  const until = performance.now() + lastsMs
  const siege = Array.from({ length: NETWORKS }, (_, n) =>
    besiege(noted(send, tally), n, honest[0]?.email ?? '', until),
  )
  const during = await liveOn(send, honest, lastsMs)
  await Promise.all(siege)
  await delay(OPENS_IN_MS)
  console.log(`Other processes burned ${(await foreignCoresOf()).toFixed(2)} cores.`)
  console.log('\nHonest people, before and during:')
  console.table({ ...rowsOf('before', before), ...rowsOf('during', during) })
  console.log('\nWhat the attackers were answered, by status:')
  console.table(Object.fromEntries([...tally].map(([name, by]) => [name, Object.fromEntries(by)])))
  const toVictim = arrivals.filter(({ to }) => to === VICTIM).length
  const toOwner = arrivals.filter(({ to }) => to === honest[0]?.email).length
  const { bytes } = await program.db
    .selectFrom('media')
    .select((select) => select.fn.sum<number>('sizeBytes').as('bytes'))
    .executeTakeFirstOrThrow()
  console.log(`Mails to the mailbox that was flooded: ${toVictim}`)
  console.log(`Mails to the owner of the account that was locked: ${toOwner}`)
  console.log(`Megabytes that the attackers stored: ${Math.round(Number(bytes ?? 0) / 1024 ** 2)}`)
}

function senderOf({ origin }: Program): Send {
  return async (method, url, { from, token, body }) => {
    const startedAt = performance.now()
    const isForm = body instanceof FormData
    const answer = await fetch(origin + url, {
      method,
      headers: {
        'x-forwarded-for': from,
        ...(token ? { authorization: `Bearer ${token}` } : {}),
        ...(body && !isForm ? { 'content-type': 'application/json' } : {}),
      },
      body: body ? (isForm ? body : JSON.stringify(body)) : null,
    })
    const text = await answer.text()
    const isJson = answer.headers.get('content-type')?.includes('json')
    const ms = performance.now() - startedAt
    return { status: answer.status, ms, body: isJson ? JSON.parse(text) : undefined }
  }
}

/** The same, counting what each kind of call is answered. */
function noted(send: Send, tally: Map<string, Map<number, number>>): Send {
  return async (method, url, sent) => {
    const answer = await send(method, url, sent).catch(() => ({
      status: 0,
      ms: 0,
      body: undefined,
    }))
    const by = tally.get(url) ?? new Map<number, number>()
    tally.set(url, by.set(answer.status, (by.get(answer.status) ?? 0) + 1))
    return answer
  }
}

function networkOf(n: number): string {
  return `10.7.${n}.1`
}

interface Honest {
  email: string
  token: string
  from: string
}

async function register(send: Send, pseudo: string, from: string): Promise<Honest> {
  const email = `${pseudo}@exemple.test`
  const body = { email, pseudo, password: PASSWORD, age_confirmed: true }
  const answer = await send('POST', '/api/auth/register', { from, body })
  return { email, token: answer.body?.token, from }
}

/** Reads, signs in, and seals now and then, for so long: what each was answered, and how fast. */
async function liveOn(
  send: Send,
  people: readonly Honest[],
  forMs: number,
): Promise<Map<string, Answer[]>> {
  const answers = new Map<string, Answer[]>()
  const until = performance.now() + forMs
  const note = (name: string, answer: Answer) =>
    answers.set(name, [...(answers.get(name) ?? []), answer])
  await Promise.all(
    people.map(async ({ email, token, from }) => {
      for (let turn = 0; performance.now() < until; turn += 1) {
        note('the feed', await send('GET', '/api/revelations', { from, token }))
        note('the home page', await send('GET', '/', { from }))
        if (turn % 10 === 0) {
          const body = { email, password: PASSWORD }
          note('signing in', await send('POST', '/api/auth/login', { from, body }))
        }
        if (turn === 5)
          note(
            'sealing',
            await send('POST', '/api/revelations', { from, token, body: letter(email) }),
          )
        await delay(300)
      }
    }),
  )
  return answers
}

function letter(target_email: string) {
  return {
    title: 'Une lettre de mesure',
    content: 'Quelques mots.',
    target_email,
    visibility: 'private',
    reveal_date: new Date(Date.now() + OPENS_IN_MS).toISOString(),
    time_zone: 'Europe/Brussels',
  }
}

/** Everything one network tries, over and over. */
async function besiege(send: Send, n: number, owner: string, until: number): Promise<void> {
  const from = networkOf(n)
  for (let round = 0; performance.now() < until; round += 1) {
    const { token } = await register(send, `assaut_${n}_${round}`, from)
    for (let letters = 0; letters < 5 && token; letters += 1)
      await send('POST', '/api/revelations', { from, token, body: letter(VICTIM) })
    await send('POST', '/api/auth/forgot-password', { from, body: { email: VICTIM } })
    const guesses = Array.from({ length: 10 }, (_, guess) =>
      send('POST', '/api/auth/login', { from, body: { email: owner, password: `faux ${guess}` } }),
    )
    await Promise.all(guesses)
    if (token) await send('POST', '/api/upload', { from, token, body: document() })
  }
}

function document(): FormData {
  const form = new FormData()
  form.set('folder', 'documents')
  const bytes = Buffer.alloc(FILE_BYTES, '%')
  bytes.write('%PDF-1.7\n')
  bytes.write('\n%%EOF\n', FILE_BYTES - 7)
  form.set('file', new Blob([bytes], { type: 'application/pdf' }), 'rempli.pdf')
  return form
}

function rowsOf(when: string, answers: ReadonlyMap<string, Answer[]>) {
  return Object.fromEntries(
    [...answers].map(([name, those]) => {
      const sorted = those.map(({ ms }) => ms).sort((one, other) => one - other)
      const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
      const served = those.filter(({ status }) => status < 400).length
      const row = { sent: those.length, served, 'median ms': at(0.5), 'p99 ms': at(0.99) }
      return [`${name}, ${when}`, row]
    }),
  )
}
