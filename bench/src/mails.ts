import { fork } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine } from './harness/machine.ts'
import type { Arrival, Deferral } from './harness/mail-sink.ts'
import type { Options } from './harness/options.ts'
import { type Program, signUp, startProgram } from './harness/program.ts'
import { inRounds, medianOf } from './harness/rounds.ts'
import { messageOf } from './harness/transfers.ts'
import type { SendingOrder } from './mail-sender.ts'

/** The size of the program’s pool of connections (nodemailer). */
const CONNECTIONS = 5
const ROUND_MAILS = 300
const MINUTE_MS = 60_000
const TIMEOUT_MS = 10 * MINUTE_MS
const MAX_LATE_MINUTES = 5
/** Time to plant what opens before the first of it opens. */
const PLANTING_MS = 10_000

const DOMAINS = 40
/** One of them puts off half of what it is sent. */
const BUSY_DOMAIN = 'patience.test'
const WITHIN_SECONDS = 60

interface Bench {
  program: Program
  authorId: string
  url: string
  arrivals: Arrival[]
  deferrals: Deferral[]
  send(order: SendingOrder): Promise<unknown>
}

/** A mail server that accepts everything but for `BUSY_DOMAIN`, and what arrived and was put off so far. */
export async function startMailSink(
  atEnd: AtEnd,
): Promise<{ url: string; arrivals: Arrival[]; deferrals: Deferral[] }> {
  const arrivals: Arrival[] = []
  const deferrals: Deferral[] = []
  const sink = fork(new URL('./harness/mail-sink.ts', import.meta.url), [BUSY_DOMAIN])
  atEnd(() => sink.disconnect())
  const { port } = await messageOf<{ port: number }>(sink)
  sink.on('message', (message: Arrival | Deferral) => {
    if ('deferred' in message) deferrals.push(message)
    else arrivals.push(message)
  })
  return { url: `smtp://127.0.0.1:${port}`, arrivals, deferrals }
}

/** The cost of the mails of opened letters, beside the same bytes sent by a bare sender. */
export async function run({ mails, rounds }: Options, atEnd: AtEnd): Promise<void> {
  const bench = await startBench(atEnd)
  console.log(describeMachine())
  await revealWithinAMinute(bench, mails)
  await revealAtManyDomains(bench, mails)
  await compareRates(bench, rounds)
}

/** Mails a second for letters that open at one instant: ours, then nodemailer’s, round by round. */
export async function measureRates(
  { rounds }: Pick<Options, 'rounds'>,
  atEnd: AtEnd,
): Promise<[ours: number[], bare: number[]]> {
  return compareRates(await startBench(atEnd), rounds)
}

async function startBench(atEnd: AtEnd): Promise<Bench> {
  const folder = await createFolder(atEnd)
  const { url, arrivals, deferrals } = await startMailSink(atEnd)
  const sender = fork(new URL('./mail-sender.ts', import.meta.url))
  atEnd(() => sender.disconnect())
  const program = await startProgram(path.join(folder, 'data'), { SMTP_URL: url }, atEnd)
  const authorId = await sealModel(program)
  return {
    program,
    authorId,
    url,
    arrivals,
    deferrals,
    send: (order) => messageOf(sender, () => sender.send(order)),
  }
}

/** An author with a verified address, who receives a mail about each delivery as everybody does. */
async function sealModel(program: Program): Promise<string> {
  const { token, userId } = await signUp(program)
  const letter = {
    title: 'Une lettre parmi d’autres',
    content: 'Dix caractères au moins.',
    target_email: 'modele@exemple.test',
    reveal_date: new Date(Date.now() + 86_400_000).toISOString(),
  }
  await program.call('POST', '/api/revelations', { token, body: letter })
  return userId
}

/** Copies the one letter, so that a thousand need not come through the front door; by address, when each opens. */
async function plant(
  { program: { db }, authorId }: Bench,
  count: number,
  instantOf: (index: number) => Date,
  domainOf: (index: number) => string = () => 'exemple.test',
): Promise<Map<string, Date>> {
  const { titleForm: _, ...model } = await db
    .selectFrom('revelations')
    .selectAll()
    .where('authorId', '=', authorId)
    .where('id', 'in', (select) =>
      select
        .selectFrom('deliveries')
        .select('revelationId')
        .where('address', '=', 'modele@exemple.test'),
    )
    .executeTakeFirstOrThrow()
  const copies = Array.from({ length: count }, (_one, index) => {
    const address = `${randomUUID()}@${domainOf(index)}`
    const revealAt = instantOf(index)
    // Nobody opens a copy, the index of letters neither.
    return { address, row: { ...model, id: randomUUID(), revealAt, searchable: true } }
  })
  await db.transaction().execute(async (tx) => {
    for (let from = 0; from < copies.length; from += 250) {
      const some = copies.slice(from, from + 250)
      await tx
        .insertInto('revelations')
        .values(some.map(({ row }) => row))
        .execute()
      const deliveries = some.map(({ address, row }) => ({
        revelationId: row.id,
        position: 0,
        address,
        addressKey: address,
        dueAt: row.revealAt,
        state: 'planned',
        keyHash: randomBytes(32),
      }))
      await tx.insertInto('deliveries').values(deliveries).execute()
    }
  })
  return new Map(copies.map(({ address, row }) => [address, row.revealAt]))
}

/** The first arrival of each of these, once all are there; throws when one is lost. */
async function waitFor({ arrivals }: Bench, addresses: ReadonlyMap<string, unknown>) {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    const ours = arrivals.filter(({ to }) => addresses.has(to))
    if (new Set(ours.map(({ to }) => to)).size === addresses.size) return ours
    if (Date.now() > deadline) throw new Error(`${addresses.size - ours.length} mails are lost`)
    await delay(200)
  }
}

async function revealWithinAMinute(bench: Bench, count: number): Promise<void> {
  const first = Date.now() + PLANTING_MS
  const instants = await plant(
    bench,
    count,
    (index) => new Date(first + Math.round((index * MINUTE_MS) / count)),
  )
  const ours = await waitFor(bench, instants)
  const late = ours.map((arrival) => secondsLate(arrival, instants))
  const minutes = (Math.max(...ours.map(({ at }) => at)) - first) / MINUTE_MS
  const isEarly = late.some((seconds) => seconds < 0)
  console.log(`\n${count} letters that open within one minute:`)
  console.table({
    'seconds after its instant': {
      median: medianOf(late).toFixed(1),
      longest: Math.max(...late).toFixed(1),
    },
  })
  const verdict = minutes < MAX_LATE_MINUTES ? 'within' : 'NOT within'
  console.log(
    `All mailed ${minutes.toFixed(2)} minutes after the first opened, ${verdict} ${MAX_LATE_MINUTES}; ${
      ours.length - count
    } came twice; ${isEarly ? 'SOME LEFT EARLY' : 'none left early'}.`,
  )
}

/** One of the domains puts off half of what it is sent: how it is sent to, and whether the others wait for it. */
async function revealAtManyDomains(bench: Bench, count: number): Promise<void> {
  const first = Date.now() + PLANTING_MS
  const instants = await plant(
    bench,
    count,
    (index) => new Date(first + Math.round((index * MINUTE_MS) / count)),
    (index) => (index % DOMAINS === 0 ? BUSY_DOMAIN : `domaine-${index % DOMAINS}.test`),
  )
  const ours = await waitFor(bench, instants)
  const busy = ours.filter(({ to }) => to.endsWith(BUSY_DOMAIN))
  const others = ours.filter(({ to }) => !to.endsWith(BUSY_DOMAIN))
  const byDomain = [...Map.groupBy(others, ({ to }) => to.slice(to.indexOf('@'))).values()]
  const rowOf = (groups: Arrival[][], deferrals: readonly Deferral[] = []) => {
    const late = groups.flat().map((arrival) => secondsLate(arrival, instants))
    return {
      letters: groups.flat().length,
      'put off': deferrals.length,
      'median s': medianOf(late).toFixed(1),
      'longest s': Math.max(...late).toFixed(1),
      'most tries in 1 s': Math.max(
        ...groups.map((some) => mostWithinASecond([...some, ...deferrals])),
      ),
      'passed by a later one': groups
        .map((some) => countPassed(some, instants))
        .reduce((sum, passed) => sum + passed, 0),
    }
  }
  console.log(`\n${count} letters that open within one minute, to ${DOMAINS} domains:`)
  console.table({
    'puts off half': rowOf([busy], bench.deferrals),
    'each other': rowOf(byDomain),
  })
  const longest = Math.max(...ours.map((arrival) => secondsLate(arrival, instants)))
  const verdict = longest <= WITHIN_SECONDS ? 'within' : 'NOT within'
  console.log(
    `All mailed, each ${verdict} ${WITHIN_SECONDS} s of its instant; ${ours.length - count} came twice.`,
  )
}

function secondsLate({ to, at }: Arrival, instants: ReadonlyMap<string, Date>): number {
  return (at - (instants.get(to)?.getTime() ?? 0)) / 1000
}

function mostWithinASecond(tries: readonly { at: number }[]): number {
  return Math.max(
    ...tries.map(
      ({ at }) => tries.filter((other) => other.at >= at && other.at < at + 1000).length,
    ),
  )
}

/** How many of them arrived after one that opened later. */
function countPassed(arrivals: readonly Arrival[], instants: ReadonlyMap<string, Date>): number {
  const opened = arrivals
    .toSorted((one, other) => one.at - other.at)
    .map(({ to }) => instants.get(to)?.getTime() ?? 0)
  return opened.filter((instant, at) => opened.slice(0, at).some((other) => other > instant)).length
}

async function compareRates(
  bench: Bench,
  wanted: number,
): Promise<[ours: number[], bare: number[]]> {
  const rounds = await inRounds(
    [
      { name: 'the program', run: () => rateOfProgram(bench) },
      { name: 'nodemailer alone', run: () => rateOfSender(bench) },
    ],
    { wanted, attempts: wanted * 2 },
  )
  const [ours, bare] = rounds.rows.map(({ costs }) => costs) as [number[], number[]]
  const ratios = ours.map((rate, round) => rate / (bare[round] ?? Number.NaN))
  console.log(
    `\n${ROUND_MAILS} letters due at once, their mails and the authors’ beside: ${rounds.note}.`,
  )
  console.table({
    'the program': {
      'mails/s': Math.round(medianOf(ours)),
      '÷ nodemailer alone': medianOf(ratios).toFixed(2),
    },
    'nodemailer alone': { 'mails/s': Math.round(medianOf(bare)), '÷ nodemailer alone': '1.00' },
  })
  return [ours, bare]
}

/** Mails a second from the first to the last, the confirmations to authors among them. */
async function rateOfProgram(bench: Bench): Promise<number> {
  const before = bench.arrivals.length
  const now = new Date()
  await waitFor(bench, await plant(bench, ROUND_MAILS, () => now))
  const times = bench.arrivals.slice(before).map(({ at }) => at)
  return rateOf(times)
}

async function rateOfSender(bench: Bench): Promise<number> {
  const mails = bench.arrivals.slice(-ROUND_MAILS)
  const before = bench.arrivals.length
  await bench.send({ url: bench.url, connections: CONNECTIONS, mails })
  while (bench.arrivals.length < before + mails.length) await delay(50)
  return rateOf(bench.arrivals.slice(before).map(({ at }) => at))
}

function rateOf(times: readonly number[]): number {
  return (times.length - 1) / ((Math.max(...times) - Math.min(...times)) / 1000)
}
