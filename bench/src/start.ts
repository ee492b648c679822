import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { findFreePort } from '#testing/program.ts'
import { loadBy } from './feed.ts'
import { type AtEnd, createFolder } from './harness/clean-up.ts'
import { describeMachine } from './harness/machine.ts'
import type { Options } from './harness/options.ts'
import { readFamilyMemory } from './harness/process-memory.ts'
import { inRounds, medianOf, type Rounds } from './harness/rounds.ts'

const START = path.resolve(import.meta.dirname, '../../script/start')
const { PATH = '', HOME = '' } = process.env
const CONNECTIONS = 32
/** For what is collected and given back once nobody asks any more. */
const REST_MS = 60_000

/** Seconds until the first answer. */
export interface Starts {
  newFolder: number
  again: number
}

/** Megabytes, each page of memory shared among those who have it. */
interface Memory {
  program: number
  postgres: number
}

export interface MeasuredStart {
  rounds: Rounds<Starts>
  idle: Memory
  afterLoad: Memory
}

/** How soon the program answers, on a new folder and again, beside the least that starts alike; and the memory it keeps. */
export async function run(
  { rounds: wanted, seconds }: Options,
  atEnd: AtEnd,
): Promise<MeasuredStart> {
  console.log(describeMachine())
  const rounds = await inRounds(
    [
      { name: 'the program', run: () => timeStarts(startProgram, atEnd) },
      { name: 'bare Fastify + PostgreSQL', run: () => timeStarts(startBare, atEnd) },
    ],
    { wanted, attempts: wanted * 2 },
  )
  console.log(`\nSeconds until the first answer, PostgreSQL included: ${rounds.note}.`)
  console.table(
    Object.fromEntries(
      rounds.rows.map(({ name, costs }) => [
        name,
        {
          'a new folder': medianOf(costs.map(({ newFolder }) => newFolder)).toFixed(2),
          again: medianOf(costs.map(({ again }) => again)).toFixed(2),
        },
      ]),
    ),
  )
  const memory = await readMemory(seconds, atEnd)
  console.log('\nMegabytes of all processes, what they share counted once:')
  console.table(memory)
  return { rounds, ...memory }
}

interface Running {
  child: ChildProcess
  origin: string
}
type Start = (dataDir: string, port: number) => ChildProcess

function startProgram(dataDir: string, port: number): ChildProcess {
  const environment = {
    DATA_DIR: dataDir,
    PORT: String(port),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
  }
  return spawn(START, { env: { PATH, HOME, ...environment }, stdio: 'ignore' })
}

function startBare(dataDir: string, port: number): ChildProcess {
  return fork(new URL('./bare-start.ts', import.meta.url), [dataDir, String(port)], {
    env: { PATH, HOME },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
}

async function timeStarts(start: Start, atEnd: AtEnd): Promise<Starts> {
  const dataDir = path.join(await createFolder(atEnd), 'data')
  await mkdir(dataDir)
  const timed = async () => {
    const startedAt = performance.now()
    const { child } = await untilAnswered(start, dataDir, atEnd)
    const seconds = (performance.now() - startedAt) / 1000
    await stop(child)
    return seconds
  }
  return { newFolder: await timed(), again: await timed() }
}

async function untilAnswered(start: Start, dataDir: string, atEnd: AtEnd): Promise<Running> {
  const port = await findFreePort()
  const child = start(dataDir, port)
  atEnd(() => stop(child))
  const origin = `http://127.0.0.1:${port}`
  for (;;) {
    const answer = await fetch(`${origin}/api/health`).catch(() => undefined)
    await answer?.arrayBuffer()
    if (answer?.ok) return { child, origin }
    if (child.exitCode !== null) throw new Error(`What was started ended with ${child.exitCode}`)
    await delay(10)
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  await ended
}

async function readMemory(
  seconds: number,
  atEnd: AtEnd,
): Promise<{ idle: Memory; afterLoad: Memory }> {
  const dataDir = path.join(await createFolder(atEnd), 'data')
  const { child, origin } = await untilAnswered(startProgram, dataDir, atEnd)
  const read = async (): Promise<Memory> => {
    const { own, beside } = await readFamilyMemory(child.pid ?? 0, '/postgres')
    return { program: Math.round(own), postgres: Math.round(beside) }
  }
  await delay(REST_MS)
  const idle = await read()
  const client = fork(new URL('./harness/load-client.ts', import.meta.url))
  atEnd(() => client.disconnect())
  const port = Number(new URL(origin).port)
  const headers = { accept: 'text/html', 'accept-encoding': 'br' }
  const pages = ['/', '/predictions', '/demo'].map((url) => ({ method: 'GET', path: url, headers }))
  const requests = [...pages, { method: 'GET', path: '/api/revelations', headers: {} }]
  const order = { port, connections: CONNECTIONS, seconds: seconds * 5, requests, status: 200 }
  await loadBy(client, order)
  await delay(REST_MS)
  return { idle, afterLoad: await read() }
}
