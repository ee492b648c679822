import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import { get as httpGet, type IncomingMessage } from 'node:http'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { SessionOpened } from '#contract/auth.ts'
import type { RevelationPage } from '#contract/revelations.ts'
import {
  contestantsOf,
  type FeedBench,
  inMemory,
  type Limits,
  type MeasuredLoad,
  nameOf,
  type SizedProgram,
  SUBJECTS,
  type Subject,
} from './feed-contestants.ts'
import type { LimitsOrder, StoredAnswer } from './feed-limits.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import type { Load, LoadOrder, LoadResult } from './harness/load-client.ts'
import { describeMachine, waitUntilIdle } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { startProgram } from './harness/program.ts'
import { inRounds, medianOf, type Rounds } from './harness/rounds.ts'
import { messageOf } from './harness/transfers.ts'

const MAIN = 100_000
const CONNECTIONS = [1, 32]
const WRITES_A_SECOND = 10
const SEED = path.resolve(import.meta.dirname, '../../server/src/seed/seed.ts')
const SEEDED = { email: 'compte0@semis.exemple.test', password: 'revelations-demo' }

/** One subject as it was measured: the reference first, then the sizes from the smallest. */
export interface MeasuredSubject {
  subject: Subject
  rounds: Rounds<MeasuredLoad>
}

/** What lists, pages, searches and comments cost beside the limits, at several sizes, all in the same run. */
export async function run(
  options: Options,
  atEnd: AtEnd,
  manyConnections: readonly number[] = CONNECTIONS,
): Promise<MeasuredSubject[]> {
  const sizes = options.revelations
  const folder = options.keep ?? (await createFolder(atEnd))
  const sized: SizedProgram[] = []
  for (const revelations of sizes) sized.push(await startSized(folder, revelations, atEnd))
  const main = sized.find(({ revelations }) => revelations === MAIN) ?? sized.at(-1)
  if (!main) throw new Error('Say at least one size')
  const client = fork(new URL('./harness/load-client.ts', import.meta.url))
  atEnd(() => client.disconnect())
  const bench: FeedBench = {
    sized,
    main,
    limits: await startLimits(main, atEnd),
    seconds: options.seconds,
    writes: WRITES_A_SECOND,
    load: (order) => loadBy(client, order),
  }
  console.log(describeMachine())
  console.log('Programs with their worker, all idle but the one measured; a first round warms up.')
  console.log(`Meanwhile ${WRITES_A_SECOND} comments a second are written to it, but for pages.`)
  const measured: MeasuredSubject[] = []
  for (const subject of SUBJECTS) {
    if (subject.isSlow && options.quick) continue
    for (const connections of manyConnections) {
      const contestants = contestantsOf(bench, subject, connections)
      const rounds = await inRounds(contestants, {
        wanted: options.rounds,
        attempts: options.rounds * 3,
      })
      const at = connections === 1 ? '1 connection' : `${connections} connections`
      console.log(`\n${subject.title}, ${at}: ${rounds.note}.`)
      printLoads(rounds, subject.reference, nameOf(sized[0] as SizedProgram))
      measured.push({ subject, rounds })
    }
  }
  return measured
}

export async function loadBy(client: ChildProcess, order: LoadOrder): Promise<Load> {
  const result = await messageOf<LoadResult>(client, () => client.send(order))
  if ('failure' in result) throw new Error(result.failure)
  return result
}

export async function startSized(
  folder: string,
  revelations: number,
  atEnd: AtEnd,
): Promise<SizedProgram> {
  const dataDir = path.join(folder, String(revelations))
  const isThere = await access(path.join(dataDir, 'postgres')).then(
    () => true,
    () => false,
  )
  if (!isThere) {
    const startedAt = performance.now()
    await seed(dataDir, revelations)
    const seconds = Math.round((performance.now() - startedAt) / 1000)
    console.log(`${revelations.toLocaleString('en')} revelations were seeded in ${seconds} s.`)
  }
  const program = await startProgram(dataDir, {}, atEnd)
  const { token, user } = await program.call<SessionOpened>('POST', '/api/auth/login', {
    body: SEEDED,
  })
  const ids: string[] = []
  for (let cursor: string | null = ''; cursor !== null && ids.length < 400; ) {
    const page: RevelationPage = await program.call(
      'GET',
      `/api/revelations?limit=100&sort=soonest${cursor ? `&cursor=${cursor}` : ''}`,
    )
    ids.push(...page.revelations.map(({ id }) => id))
    cursor = page.next_cursor
  }
  await waitUntilIdle(program.pid)
  return { revelations, program, token, userId: user.id, ids }
}

async function seed(dataDir: string, revelations: number): Promise<void> {
  const sizes = ['--users', String(Math.max(10, revelations / 100))]
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [SEED, ...sizes, '--revelations', String(revelations)], {
    env: { PATH, HOME, DATA_DIR: dataDir, LOG_LEVEL: 'silent' },
    stdio: 'ignore',
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`Seeding ended with ${code}`)
}

async function startLimits(main: SizedProgram, atEnd: AtEnd): Promise<Limits> {
  const { program } = main
  const child = fork(new URL('./feed-limits.ts', import.meta.url))
  atEnd(() => child.disconnect())
  const feed = await program.call<RevelationPage>('GET', '/api/revelations')
  const open = feed.revelations.find((item) => 'content' in item)
  const memory: LimitsOrder['memory'] = {}
  const { pages, requests } = inMemory(main)
  for (const [name, request] of Object.entries(requests)) {
    memory[name] = await storeAnswer(program.origin, request)
  }
  const order: LimitsOrder = {
    connection: program.connection,
    memory,
    origin: program.origin,
    pages,
    filler: open && 'content' in open ? open.content : '',
  }
  const address = await messageOf<string>(child, () => child.send(order))
  return { port: Number(new URL(address).port), pid: child.pid ?? 0 }
}

/** The bytes as they come, compressed where the request asks for it. */
async function storeAnswer(
  origin: string,
  { path: url, headers }: LoadOrder['requests'][number],
): Promise<StoredAnswer> {
  const request = httpGet(`${origin}${url}`, { headers })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  if (response.statusCode !== 200) throw new Error(`${url} answers ${response.statusCode}`)
  const { 'content-type': type = '', 'content-encoding': encoding } = response.headers
  return {
    base64: (await buffer(response)).toString('base64'),
    headers: { 'content-type': type, ...(encoding && { 'content-encoding': encoding }) },
  }
}

/** Medians over the rounds; ratios are computed within each round. */
function printLoads({ rows }: Rounds<MeasuredLoad>, reference: string, smallest: string): void {
  const limit = rows.find(({ name }) => name === reference)
  const least = rows.find(({ name }) => name === smallest)
  const table = rows.map(({ name, costs }) => {
    const of = (read: (load: MeasuredLoad, round: number) => number) => medianOf(costs.map(read))
    const row = {
      'a second': Math.round(of((load) => load.perSecond)),
      '÷ limit': of(
        (load, round) => load.perSecond / (limit?.costs[round]?.perSecond ?? Number.NaN),
      ).toFixed(2),
      'p50 ms': of((load) => load.p50Ms).toFixed(2),
      'p99 ms': of((load) => load.p99Ms).toFixed(2),
      'p99 ÷ smallest': of(
        (load, round) => load.p99Ms / (least?.costs[round]?.p99Ms ?? Number.NaN),
      ).toFixed(2),
      'CPU µs': Math.round(of((load) => load.cpuMicroseconds)),
      'PostgreSQL µs': Math.round(of((load) => load.postgresMicroseconds)),
      bytes: Math.round(of((load) => load.bytes)),
    }
    return [name, row]
  })
  console.table(Object.fromEntries(table))
}
