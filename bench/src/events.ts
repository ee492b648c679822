import { fork } from 'node:child_process'
import { setTimeout as delay } from 'node:timers/promises'
import { loadBy, startSized } from './feed.ts'
import type { SizedProgram } from './feed-contestants.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import type { Load, LoadOrder } from './harness/load-client.ts'
import { describeMachine } from './harness/machine.ts'
import { addSessions, type OpenPages, startPages } from './harness/open-pages.ts'
import type { Options } from './harness/options.ts'
import { watchMemory } from './harness/process-memory.ts'
import { inRounds, medianOf, type Rounds } from './harness/rounds.ts'

const REVELATIONS = 10_000
/** What a page of the feed shows. */
const WATCHED = 20
/** More than one heartbeat of every stream. */
const SETTLE_MS = 30_000
const MAX_MB = 400
const MAX_RATIO = 2

interface Bench {
  sized: SizedProgram
  load(order: LoadOrder): Promise<Load>
  pages: OpenPages
  options: Options
}

/** What open pages cost that receive nothing: memory, and the feed of others, at rest and beside them in the same run. */
export async function run(options: Options, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  const sized = await startSized(folder, REVELATIONS, atEnd)
  const client = fork(new URL('./harness/load-client.ts', import.meta.url))
  atEnd(() => client.disconnect())
  console.log(describeMachine())
  const pages = startPages(atEnd)
  await measure({ sized, pages, options, load: (order) => loadBy(client, order) }, atEnd)
}

async function measure(bench: Bench, atEnd: AtEnd): Promise<void> {
  const { program, ids } = bench.sized
  const memory = await watchMemory(program.pid, atEnd)
  const atRest = await measureFeeds(bench)
  const restMb = await memory.readPeakMb()
  const { streams } = bench.options
  const { seconds } = await bench.pages.open({
    port: portOf(bench),
    tokens: await addSessions(program, streams),
    pages: streams,
    query: `watch=${ids.slice(0, WATCHED).join()}`,
  })
  console.log(`\n${streams} pages were opened in ${seconds.toFixed(1)} s.`)
  await delay(SETTLE_MS)
  const openMb = await memory.readPeakMb()
  const beside = await measureFeeds(bench)
  const loadedMb = await memory.readPeakMb()
  await reachAll(bench)
  const reachedMb = await memory.readPeakMb()
  const { left } = await bench.pages.leave()
  await delay(1_000)
  const after = await measureFeeds(bench)

  console.log(`${left} pages were open to the end. Highest resident MB of the program:`)
  const measured = {
    'at rest': restMb,
    opening: openMb,
    'beside the feed': loadedMb,
    reached: reachedMb,
  }
  console.table(mapValues(measured, Math.round))
  const highest = Math.max(openMb, loadedMb, reachedMb)
  const each = ((highest - restMb) * 1024) / streams
  console.log(
    `${verdictOf(highest < MAX_MB)} ${MAX_MB} MB; ${each.toFixed(1)} KB for each page at most.`,
  )
  printFeeds(atRest, beside, after)
}

function verdictOf(isUnder: boolean): string {
  return isUnder ? 'Under' : 'NOT under'
}

function portOf({ sized }: Bench): number {
  return Number(new URL(sized.program.origin).port)
}

/** The feed, of a visitor and of somebody signed in, by one client after the other. */
function measureFeeds(bench: Bench): Promise<Rounds<Load>> {
  const port = portOf(bench)
  const { token } = bench.sized
  const feeds: [string, Record<string, string>][] = [
    ['of a visitor', {}],
    ['signed in', { authorization: `Bearer ${token}` }],
  ]
  const contestants = feeds.flatMap(([whose, headers]) =>
    [1, 8].map((connections) => ({
      name: `${whose}, ${connections === 1 ? '1 connection' : `${connections} connections`}`,
      run: () =>
        bench.load({
          port,
          connections,
          seconds: bench.options.seconds,
          requests: [{ method: 'GET', path: '/api/revelations', headers }],
          status: 200,
        }),
    })),
  )
  const wanted = bench.options.rounds
  return inRounds(contestants, { wanted, attempts: wanted * 2 })
}

/** A comment under what all of them watch, until the last page has received its event. */
async function reachAll(bench: Bench): Promise<void> {
  const { program, ids, token } = bench.sized
  const [id = ''] = ids
  const received = bench.pages.awaitEvent(id)
  const body = { revelation_id: id, content: 'Vous m’entendez ?' }
  await program.call('POST', '/api/comments', { token, body })
  const { pages, lastMs } = await received
  console.log(`\nA comment reached ${pages} pages, by the last after ${Math.round(lastMs)} ms.`)
}

function mapValues<T, R>(values: Record<string, T>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(value)]))
}

/** At rest is before and after: what else the machine does must not count for or against the pages. */
function printFeeds(before: Rounds<Load>, beside: Rounds<Load>, after: Rounds<Load>): void {
  console.log(`\nThe feed before the pages were opened: ${before.note}.`)
  console.log(`Beside them: ${beside.note}.`)
  console.log(`After they were left: ${after.note}.`)
  const p99sOf = ({ rows }: Rounds<Load>, name: string) =>
    rows.find((row) => row.name === name)?.costs.map(({ p99Ms }) => p99Ms) ?? []
  const table = before.rows.map(({ name }) => {
    const [first, open, last] = [before, beside, after].map((rounds) => p99sOf(rounds, name))
    const rest = medianOf([...(first ?? []), ...(last ?? [])])
    const ratio = medianOf(open ?? []) / rest
    const row = {
      'p99 ms before': medianOf(first ?? []).toFixed(2),
      after: medianOf(last ?? []).toFixed(2),
      'at rest': rest.toFixed(2),
      'beside the pages': medianOf(open ?? []).toFixed(2),
      ratio: ratio.toFixed(2),
      '': `${verdictOf(ratio < MAX_RATIO)} ${MAX_RATIO}`,
    }
    return [name, row]
  })
  console.table(Object.fromEntries(table))
}
