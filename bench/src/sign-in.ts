import { randomInt } from 'node:crypto'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine, watchForeignCpu } from './harness/machine.ts'
import { type Program, startProgram } from './harness/program.ts'
import { medianOf } from './harness/rounds.ts'

const ADDRESSES = 40
/** Fewer than the failures after which an account is slowed down. */
const TRIES = 9
const MAX_RATIO = 1.1

const DOORS = [
  { name: 'login, a wrong password', path: 'login', body: { password: 'un mot qui est faux' } },
  { name: 'forgot-password', path: 'forgot-password', body: {} },
]

/** Whether time reveals who has an account: calls with known and unknown addresses, one by one, in random order. */
export async function run(_options: unknown, atEnd: AtEnd): Promise<void> {
  const folder = await createFolder(atEnd)
  // As it is run for people: what counts failures and requests is a part of the time.
  const program = await startProgram(folder, { RATE_LIMITS: 'on' }, atEnd)
  const known = addressesOf('connue')
  const unknown = addressesOf('inconnue')
  for (const [index, email] of known.entries()) {
    const account = { pseudo: `connue_${index}`, email, password: 'mot de passe de mesure' }
    const { status } = await post(program, 'register', account)
    if (status !== 201) throw new Error(`Cannot register: ${status}`)
  }
  console.log(describeMachine())
  console.log(
    'One connection; each address as often as the others, known and unknown in random order.',
  )
  for (const door of DOORS) {
    const foreignCoresOf = await watchForeignCpu()
    const times = await measure(program, door, { known, unknown })
    console.log(
      `\n${door.name}: other processes burned ${(await foreignCoresOf()).toFixed(2)} cores.`,
    )
    print(times)
  }
}

function addressesOf(name: string): string[] {
  return Array.from({ length: ADDRESSES }, (_, index) => `${name}.${index}@exemple.test`)
}

interface Times {
  known: number[]
  unknown: number[]
}

async function measure(
  program: Program,
  { path, body }: (typeof DOORS)[number],
  addresses: Record<keyof Times, string[]>,
): Promise<Times> {
  const times: Times = { known: [], unknown: [] }
  for (let tried = 0; tried < TRIES; tried += 1) {
    for (let index = 0; index < ADDRESSES; index += 1) {
      const kinds: (keyof Times)[] = ['known', 'unknown']
      for (const kind of randomInt(2) ? kinds : kinds.reverse()) {
        const email = addresses[kind][index]
        const { status, ms } = await post(program, path, { ...body, email })
        if (status === 429) throw new Error('Slowed down: nothing is measured')
        times[kind].push(ms)
      }
    }
  }
  return times
}

/** From a new network each time, as a proxy would forward it, so that no other try slows it down. */
async function post(
  { origin }: Program,
  path: string,
  body: object,
): Promise<{ status: number; ms: number }> {
  const network = `10.${randomInt(256)}.${randomInt(256)}.${randomInt(256)}`
  const startedAt = performance.now()
  const answer = await fetch(`${origin}/api/auth/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': network },
    body: JSON.stringify(body),
  })
  await answer.arrayBuffer()
  return { status: answer.status, ms: performance.now() - startedAt }
}

function print({ known, unknown }: Times): void {
  const row = (times: readonly number[]) => {
    const sorted = times.toSorted((one, other) => one - other)
    const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(2)
    return { requests: times.length, 'p10 ms': at(0.1), 'median ms': at(0.5), 'p90 ms': at(0.9) }
  }
  console.table({ known: row(known), unknown: row(unknown) })
  const medians = [medianOf(known), medianOf(unknown)]
  const ratio = Math.max(...medians) / Math.min(...medians)
  const verdict = ratio <= MAX_RATIO ? 'within' : 'BEYOND'
  console.log(`Medians differ by ${((ratio - 1) * 100).toFixed(1)} %: ${verdict} 10 %.`)
}
