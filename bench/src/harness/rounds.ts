import { setTimeout as delay } from 'node:timers/promises'
import { readCpuSeconds, watchForeignCpu } from './machine.ts'

const WANTED_ROUNDS = 5
const MIN_ROUNDS = 3
const MAX_ATTEMPTS = 15
const QUIET_CORES = 0.15
const WAIT_FOR_QUIET_MS = 3_000

export interface Contestant {
  name: string
  /** The process whose CPU time counts. */
  pid: number
  /** Another process it depends on, whose CPU time is counted apart. */
  besidePid?: number
  megabytes: number
  /** Does it once; the answer is how many seconds it took. */
  run(): Promise<number>
}

interface Cost {
  megabytesPerSecond: number
  cpuSecondsPerGb: number
  besideCpuSecondsPerGb: number | undefined
}

export interface Rounds<Cost> {
  /** What everyone cost, round by round. */
  rows: { name: string; costs: Cost[] }[]
  /** How quiet the machine was, in a sentence. */
  note: string
}
export type Comparison = Rounds<Cost>

/** Everyone in turn, several times; rounds during which others kept the machine busy are thrown away. */
export function runRounds(
  contestants: readonly Contestant[],
  limits?: { wanted: number; attempts: number },
): Promise<Comparison> {
  return inRounds(
    contestants.map(({ name, ...contestant }) => ({ name, run: () => costOf(contestant) })),
    limits,
  )
}

/** The same for any cost; `wanted` rounds count, and a busy machine is given at most `attempts`. */
export async function inRounds<Cost>(
  contestants: readonly { name: string; run(): Promise<Cost> }[],
  { wanted = WANTED_ROUNDS, attempts = MAX_ATTEMPTS } = {},
): Promise<Rounds<Cost>> {
  const all: { costs: Cost[]; foreignCores: number }[] = []
  const quiet = () => all.filter(({ foreignCores }) => foreignCores <= QUIET_CORES)
  async function runRound(): Promise<Cost[]> {
    const costs: Cost[] = []
    for (const { run } of contestants) costs.push(await run())
    return costs
  }
  await runRound()
  while (quiet().length < wanted && all.length < attempts) {
    const foreignCoresOf = await watchForeignCpu()
    const costs = await runRound()
    const foreignCores = await foreignCoresOf()
    all.push({ costs, foreignCores })
    if (foreignCores > QUIET_CORES && all.length < attempts) await delay(WAIT_FOR_QUIET_MS)
  }
  const isQuiet = quiet().length >= Math.min(MIN_ROUNDS, wanted)
  const counted = isQuiet ? quiet() : all
  const cores = medianOf(counted.map(({ foreignCores }) => foreignCores)).toFixed(2)
  const foreign = `other processes burned ${cores} core (median)`
  return {
    rows: contestants.map(({ name }, place) => ({
      name,
      costs: counted.flatMap(({ costs }) => (place in costs ? [costs[place] as Cost] : [])),
    })),
    note: isQuiet
      ? `${counted.length} rounds, ${all.length - counted.length} more thrown away; ${foreign}`
      : `BUSY MACHINE: only ${quiet().length} of ${all.length} rounds were quiet, so all count; ${foreign}`,
  }
}

async function costOf(contestant: Omit<Contestant, 'name'>): Promise<Cost> {
  const { pid, besidePid, megabytes, run } = contestant
  const cpuPerGbOf = await watchCpu(pid, megabytes)
  const besideCpuPerGbOf = besidePid ? await watchCpu(besidePid, megabytes) : undefined
  const seconds = await run()
  return {
    megabytesPerSecond: megabytes / seconds,
    cpuSecondsPerGb: await cpuPerGbOf(),
    besideCpuSecondsPerGb: await besideCpuPerGbOf?.(),
  }
}

async function watchCpu(pid: number, megabytes: number): Promise<() => Promise<number>> {
  const before = await readCpuSeconds(pid)
  return async () => (((await readCpuSeconds(pid)) - before) / megabytes) * 1024
}

/** Prints the medians of everyone, and of the ratios of their rates to each reference, round by round. */
export function printComparison({ rows }: Comparison, references: readonly string[]): void {
  const table = rows.map(({ name, costs }) => {
    const ratios = rows
      .filter((row) => references.includes(row.name))
      .map((reference) => [
        `÷ ${reference.name}`,
        medianOf(
          costs.map(
            ({ megabytesPerSecond }, round) =>
              megabytesPerSecond / (reference.costs[round]?.megabytesPerSecond ?? Number.NaN),
          ),
        ).toFixed(2),
      ])
    const row = {
      'MB/s': Math.round(medianOf(costs.map(({ megabytesPerSecond }) => megabytesPerSecond))),
      ...Object.fromEntries(ratios),
      'CPU s/GB': medianOf(costs.map(({ cpuSecondsPerGb }) => cpuSecondsPerGb)).toFixed(2),
      ...besideOf(costs),
    }
    return [name, row]
  })
  console.table(Object.fromEntries(table))
}

function besideOf(costs: readonly Cost[]): Record<string, string> {
  const beside = costs.flatMap(({ besideCpuSecondsPerGb: cpu }) => (cpu === undefined ? [] : [cpu]))
  return beside.length > 0 ? { 'and its bucket’s': medianOf(beside).toFixed(2) } : {}
}

export function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  const low = sorted[Math.floor(middle)] ?? Number.NaN
  const high = sorted[Math.ceil(middle)] ?? Number.NaN
  return (low + high) / 2
}
