import { setTimeout as delay } from 'node:timers/promises'
import { watchForeignCpu } from './machine.ts'

const WANTED_ROUNDS = 5
const MIN_ROUNDS = 3
const MAX_ATTEMPTS = 15
const QUIET_CORES = 0.15
const WAIT_FOR_QUIET_MS = 3_000

export interface Contestant {
  name: string
  /** Does its work once and gives its megabytes a second. */
  run(): Promise<number>
}

type Rates = Map<string, number>

/** Everyone in turn, several times; rounds during which others kept the machine busy are thrown away. */
export async function runRounds(
  contestants: readonly Contestant[],
): Promise<{ rounds: Rates[]; note: string }> {
  const rounds: { foreignCores: number; rates: Rates }[] = []
  const quiet = () => rounds.filter(({ foreignCores }) => foreignCores <= QUIET_CORES)
  await runRound(contestants)
  while (quiet().length < WANTED_ROUNDS && rounds.length < MAX_ATTEMPTS) {
    // Whoever comes first finds the disk in another state than the next.
    const shift = rounds.length % contestants.length
    const order = [...contestants.slice(shift), ...contestants.slice(0, shift)]
    const foreignCoresOf = await watchForeignCpu()
    const rates = await runRound(order)
    const foreignCores = await foreignCoresOf()
    rounds.push({ foreignCores, rates })
    if (foreignCores > QUIET_CORES) await delay(WAIT_FOR_QUIET_MS)
  }
  const isQuiet = quiet().length >= MIN_ROUNDS
  const kept = isQuiet ? quiet() : rounds
  const cores = medianOf(kept.map(({ foreignCores }) => foreignCores)).toFixed(2)
  const foreign = `other processes burned ${cores} core (median)`
  const note = isQuiet
    ? `${kept.length} rounds, ${rounds.length - kept.length} more thrown away; ${foreign}`
    : `BUSY MACHINE: only ${quiet().length} of ${rounds.length} rounds were quiet, so all count; ${foreign}`
  return { rounds: kept.map(({ rates }) => rates), note }
}

async function runRound(contestants: readonly Contestant[]): Promise<Rates> {
  const rates: Rates = new Map()
  for (const { name, run } of contestants) rates.set(name, await run())
  return rates
}

/** Prints the median rate of each, and the median of its ratios to each reference, round by round. */
export function printRates(rounds: readonly Rates[], references: readonly string[]): void {
  const rateOf = (rates: Rates, name: string) => rates.get(name) ?? Number.NaN
  const names = [...(rounds[0]?.keys() ?? [])]
  const rows = names.map((name) => {
    const ratios = references.map((reference) => {
      const ratio = medianOf(rounds.map((rates) => rateOf(rates, name) / rateOf(rates, reference)))
      return [`÷ ${reference}`, ratio.toFixed(2)]
    })
    const rate = Math.round(medianOf(rounds.map((rates) => rateOf(rates, name))))
    return [name, { 'MB/s': rate, ...Object.fromEntries(ratios) }]
  })
  console.table(Object.fromEntries(rows))
}

function medianOf(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((one, other) => one - other)
  const middle = (sorted.length - 1) / 2
  const low = sorted[Math.floor(middle)] ?? Number.NaN
  const high = sorted[Math.ceil(middle)] ?? Number.NaN
  return (low + high) / 2
}
