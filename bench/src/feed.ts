import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { access } from 'node:fs/promises'
import path from 'node:path'
import type { SessionOpened } from '#contract/auth.ts'
import type { RevelationPage } from '#contract/revelations.ts'
import {
  contestantsOf,
  type FeedBench,
  type Limits,
  type MeasuredLoad,
  nameOf,
  type SizedProgram,
  SUBJECTS,
} from './feed-contestants.ts'
import type { LimitsOrder } from './feed-limits.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import type { Load, LoadOrder, LoadResult } from './harness/load-client.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { startProgram } from './harness/program.ts'
import { inRounds, medianOf, type Rounds } from './harness/rounds.ts'
import { messageOf } from './harness/transfers.ts'

const MAIN = 100_000
const CONNECTIONS = [1, 32]
const SEED = path.resolve(import.meta.dirname, '../../server/src/seed/seed.ts')
const SEEDED = { email: 'compte0@semis.exemple.test', password: 'revelations-demo' }

/** What lists, pages, searches and comments cost beside the limits, at several sizes, all in the same run. */
export async function run(options: Options, atEnd: AtEnd): Promise<void> {
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
    load: (order) => loadBy(client, order),
  }
  console.log(describeMachine())
  console.log('Programs with their worker, all idle but the one measured; a first round warms up.')
  for (const subject of SUBJECTS) {
    for (const connections of CONNECTIONS) {
      const contestants = contestantsOf(bench, subject, connections)
      const rounds = await inRounds(contestants, {
        wanted: options.rounds,
        attempts: options.rounds * 3,
      })
      const at = connections === 1 ? '1 connection' : `${connections} connections`
      console.log(`\n${subject.title}, ${at}: ${rounds.note}.`)
      printLoads(rounds, subject.reference, nameOf(sized[0] as SizedProgram))
    }
  }
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

async function startLimits({ program, ids }: SizedProgram, atEnd: AtEnd): Promise<Limits> {
  const child = fork(new URL('./feed-limits.ts', import.meta.url))
  atEnd(() => child.disconnect())
  const textOf = async (url: string) => (await fetch(`${program.origin}${url}`)).text()
  const feed = await textOf('/api/revelations')
  const open = (JSON.parse(feed) as RevelationPage).revelations.find((item) => 'content' in item)
  const order: LimitsOrder = {
    connection: program.connection,
    memory: {
      feed,
      detail: await textOf(`/api/revelations/${ids[0]}`),
      search: await textOf('/api/revelations?q=tiroir'),
    },
    filler: open && 'content' in open ? open.content : '',
  }
  const address = await messageOf<string>(child, () => child.send(order))
  const pages = { feed: '/memory/feed', detail: '/memory/detail', search: '/memory/search' }
  return { port: Number(new URL(address).port), pid: child.pid ?? 0, pages }
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
      bytes: Math.round(of((load) => load.bytes)),
    }
    return [name, row]
  })
  console.table(Object.fromEntries(table))
}
