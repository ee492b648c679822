import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { type MeasuredSubject, run as runFeed } from './feed.ts'
import type { AtEnd } from './harness/clean-up.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { type Comparison, medianOf } from './harness/rounds.ts'
import { measureRates } from './mails.ts'
import { type MeasuredStart, run as runStart } from './start.ts'
import { measureTransfers } from './upload.ts'
import { type MeasuredVariants, run as runVariants } from './variants.ts'

/** One line of the table. */
interface Line {
  work: string
  reference: string
  /** Ours in relation to the reference; without one, the figure itself. */
  value: number
  goal: { atLeast: number } | { atMost: number }
  /** Figures to read beside it. */
  beside: Record<string, number>
  /** How quiet the machine was, where rounds were counted. */
  note?: string
}

interface Table {
  machine: string
  at: string
  lines: Line[]
}

/** Of the CPU of an answer: how it is at many rows, in relation to few. */
const SIZE_GOAL = 0.9
/** Of the slowest answers, in relation to those of the reference, by title. */
const P99_GOALS: Record<string, number> = {
  'The feed of a visitor': 3,
  'A search of somebody signed in, one of 400': 5,
}
const CONNECTIONS = [32]
const QUICK = { rounds: 1, seconds: 0.7, megabytes: 40 }
const WHOLE = { rounds: 3, seconds: 2, megabytes: 300 }

/** Every line that has a goal, beside its reference of the same run, in one table that is kept as a file. */
export async function run(options: Options, atEnd: AtEnd): Promise<void> {
  const before = options.against ? await readTable(options.against) : undefined
  const { revelations, quick } = options
  // The smallest, and the largest beside it.
  const sizes = [...new Set([revelations[0] ?? 0, ...(quick ? [] : revelations.slice(-1))])]
  const sized = { ...options, revelations: sizes, ...(quick ? QUICK : WHOLE) }
  const lines = (await runFeed(sized, atEnd, CONNECTIONS)).flatMap(linesOfSubject)
  const { uploads, reads } = await measureTransfers(sized, atEnd)
  lines.push(...linesOfFiles(uploads, reads))
  lines.push(lineOfMails(await measureRates(sized, atEnd)))
  lines.push(...linesOfVariants(await runVariants(sized, atEnd)))
  if (!quick) lines.push(...linesOfStart(await runStart(sized, atEnd)))
  const table = { machine: describeMachine(), at: new Date().toISOString(), lines }
  printTable(table, before)
  const file = path.join(options.keep ?? '.', `bench-${table.at.replaceAll(':', '-')}.json`)
  await writeFile(file, `${JSON.stringify(table, null, 2)}\n`)
  console.log(`Kept as ${file}: another run is compared with it by --against ${file}`)
}

/** What part of the CPU of our answer the reference takes, round by round; the slowest answers where they have a goal. */
function linesOfSubject({ subject, rounds }: MeasuredSubject): Line[] {
  const { title, reference, goal } = subject
  const [limit, ...sizes] = rounds.rows
  if (!limit) return []
  const lines = sizes.flatMap(({ name, costs }) => {
    const ratioOf = (read: (cost: (typeof costs)[number]) => number) =>
      medianOf(costs.map((cost, round) => read(cost) / read(limit.costs[round] ?? cost)))
    const work = `${title}, ${name}`
    const beside = {
      'CPU µs': medianOf(costs.map(({ cpuMicroseconds }) => cpuMicroseconds)),
      'PostgreSQL µs': medianOf(costs.map(({ postgresMicroseconds }) => postgresMicroseconds)),
      'with it ÷':
        1 /
        ratioOf(({ cpuMicroseconds, postgresMicroseconds }) => {
          return cpuMicroseconds + postgresMicroseconds
        }),
      'a second': medianOf(costs.map(({ perSecond }) => perSecond)),
      'rate ÷': ratioOf(({ perSecond }) => perSecond),
      'p99 ms': medianOf(costs.map(({ p99Ms }) => p99Ms)),
    }
    const value = 1 / ratioOf(({ cpuMicroseconds }) => cpuMicroseconds)
    const p99Goal = P99_GOALS[title]
    const { note } = rounds
    const line: Line = { work, reference, value, goal: { atLeast: goal }, beside, note }
    if (p99Goal === undefined) return [line]
    const slowest = ratioOf(({ p99Ms }) => p99Ms)
    return [
      line,
      { work: `${work}, p99`, reference, value: slowest, goal: { atMost: p99Goal }, beside: {} },
    ]
  })
  const [small, large] = [sizes[0], sizes.at(-1)]
  if (!small || !large || small === large) return lines
  const cpuOf = ({ costs }: typeof small) =>
    medianOf(costs.map(({ cpuMicroseconds }) => cpuMicroseconds))
  const value = cpuOf(small) / cpuOf(large)
  return [
    ...lines,
    {
      work: `${title}, ${large.name}`,
      reference: small.name,
      value,
      goal: { atLeast: SIZE_GOAL },
      beside: {},
    },
  ]
}

function linesOfFiles(uploads: Comparison, reads: Record<string, Comparison>): Line[] {
  const lineOf = (
    comparison: Comparison,
    name: string,
    reference: string,
    atLeast: number,
    order = '',
  ): Line => {
    const costsOf = (wanted: string) =>
      comparison.rows.find(({ name: known }) => known === wanted)?.costs ?? []
    const costs = costsOf(name)
    const bare = costsOf(reference)
    const rateOf = (cost: (typeof costs)[number] | undefined) =>
      cost?.megabytesPerSecond ?? Number.NaN
    const value = medianOf(costs.map((cost, round) => rateOf(cost) / rateOf(bare[round])))
    const beside = {
      'MB/s': medianOf(costs.map(rateOf)),
      'CPU s/GB': medianOf(costs.map(({ cpuSecondsPerGb }) => cpuSecondsPerGb)),
    }
    const { note } = comparison
    return {
      work: `Files: ${name}${order && ` ${order}`}`,
      reference,
      value,
      goal: { atLeast },
      beside,
      note,
    }
  }
  return [
    lineOf(uploads, 'form on the disk', 'plain form', 0.7),
    lineOf(uploads, 'tus on the disk', 'plain form', 0.5),
    lineOf(uploads, 'form in a bucket', 'plain put in a bucket', 0.7),
    lineOf(uploads, 'tus in a bucket', 'plain put in a bucket', 0.5),
    ...Object.entries(reads).map(([order, comparison]) =>
      lineOf(comparison, 'sealed reads', 'plain server', 0.9, order),
    ),
  ]
}

function lineOfMails([ours, bare]: [number[], number[]]): Line {
  const value = medianOf(ours.map((rate, round) => rate / (bare[round] ?? Number.NaN)))
  const beside = { 'a second': medianOf(ours) }
  return {
    work: 'Mails of one instant',
    reference: 'nodemailer alone',
    value,
    goal: { atLeast: 0.5 },
    beside,
  }
}

function linesOfVariants({ rounds, feed }: MeasuredVariants): Line[] {
  const [ours, bare] = rounds.rows
  const ratios = ours?.costs.map((seconds, round) => seconds / (bare?.costs[round] ?? Number.NaN))
  const slower = feed.busyP99.map((ms, round) => ms / (feed.quietP99[round] ?? Number.NaN))
  return [
    {
      work: 'Teaser and variants of a film',
      reference: bare?.name ?? '',
      value: medianOf(ratios ?? []),
      goal: { atMost: 1.2 },
      beside: { seconds: medianOf(ours?.costs ?? []) },
      note: rounds.note,
    },
    {
      work: 'The feed of a visitor meanwhile, p99',
      reference: 'quiet',
      value: medianOf(slower),
      goal: { atMost: 3 },
      beside: { ms: medianOf(feed.busyP99) },
    },
  ]
}

function linesOfStart({ rounds, idle, afterLoad }: MeasuredStart): Line[] {
  const [ours, bare] = rounds.rows
  const reference = bare?.name ?? ''
  const lineOf = (work: string, part: 'newFolder' | 'again'): Line => {
    const ratios = ours?.costs.map(
      (cost, round) => cost[part] / (bare?.costs[round]?.[part] ?? Number.NaN),
    )
    const beside = { seconds: medianOf(ours?.costs.map((cost) => cost[part]) ?? []) }
    const value = medianOf(ratios ?? [])
    return { work, reference, value, goal: { atMost: 1.5 }, beside, note: rounds.note }
  }
  const megabytes = (work: string, value: number, atMost: number): Line => {
    return { work, reference: 'MB', value, goal: { atMost }, beside: {} }
  }
  return [
    lineOf('First answer on a new folder', 'newFolder'),
    lineOf('First answer again', 'again'),
    megabytes('Memory idle, without PostgreSQL', idle.program, 180),
    megabytes('Memory after load, with PostgreSQL', afterLoad.program + afterLoad.postgres, 350),
  ]
}

function isMet({ value, goal }: Line): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

function printTable({ machine, lines }: Table, before: Table | undefined): void {
  const rows = lines.map((line) => {
    const { work, reference, value, goal, beside } = line
    const former = before?.lines.find((one) => one.work === work && one.reference === reference)
    const figures = Object.entries(beside).map(([name, figure]) => `${name} ${shorten(figure)}`)
    return {
      work,
      '÷': reference,
      value: shorten(value),
      goal: 'atLeast' in goal ? `≥ ${goal.atLeast}` : `≤ ${goal.atMost}`,
      met: isMet(line) ? 'yes' : 'NO',
      ...(before && { before: former ? shorten(former.value) : '–' }),
      beside: figures.join(', '),
    }
  })
  console.log(`\n${machine}`)
  console.table(rows)
  console.log(`${lines.filter(isMet).length} of ${lines.length} goals are met.`)
  const busy = lines.filter(({ note }) => note?.startsWith('BUSY')).length
  if (busy > 0) console.log(`${busy} of them were measured beside other work: measure again.`)
}

function shorten(figure: number): string {
  return figure >= 100 ? String(Math.round(figure)) : figure.toPrecision(2)
}

async function readTable(file: string): Promise<Table> {
  return JSON.parse(await readFile(file, 'utf8')) as Table
}
