import { readFile } from 'node:fs/promises'
import os from 'node:os'
import { setTimeout as delay } from 'node:timers/promises'
import { fieldsOf, listFamily } from './processes.ts'

const TICKS_PER_SECOND = 100
/** What comes from time to time takes less of a second. */
const IDLE_CORES = 0.05
const IDLE_FOR_SECONDS = 5
const IDLE_WITHIN_SECONDS = 1_800
/** Parent of the threads of the kernel: they write out our pages as much as anybody's. */
const KERNEL = 2

interface CpuTicks {
  at: number
  /** Everything, with what other virtual machines took of these cores. */
  all: number
  /** Ours and the kernel's. */
  own: number
}

/** The cores that other processes used, on average, until the answer is called. */
export async function watchForeignCpu(): Promise<() => Promise<number>> {
  const before = await readTicks()
  return async () => {
    const after = await readTicks()
    const seconds = (after.at - before.at) / 1000
    const ticks = after.all - before.all - (after.own - before.own)
    return Math.max(0, ticks / TICKS_PER_SECOND / seconds)
  }
}

async function readTicks(): Promise<CpuTicks> {
  const [total = ''] = (await readFile('/proc/stat', 'utf8')).split('\n')
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = total
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const own = await readTicksOf([process.pid, KERNEL])
  return { at: performance.now(), all: user + nice + system + steal, own }
}

/** Of these processes, and of all that descend from them. */
async function readTicksOf(pids: readonly number[]): Promise<number> {
  const family = await listFamily(({ pid }) => pids.includes(pid))
  return family.reduce((sum, { ticks }) => sum + ticks, 0)
}

/** CPU time of one process since it began, without its children. */
export async function readCpuSeconds(pid: number): Promise<number> {
  const fields = fieldsOf(await readFile(`/proc/${pid}/stat`, 'utf8'))
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** CPU time of a process and of all that it started, since they began: of a PostgreSQL, that of its connections. */
export async function readFamilyCpuSeconds(pid: number): Promise<number> {
  const ticks = await readTicksOf([pid])
  if (ticks === 0) throw new Error(`Process ${pid} has ended`)
  return ticks / TICKS_PER_SECOND
}

/** Until a process has little to do: mails that a seed leaves to be sent would count as the cost of what is measured. */
export async function waitUntilIdle(pid: number): Promise<void> {
  let idleSeconds = 0
  for (let waited = 0; idleSeconds < IDLE_FOR_SECONDS; waited += 1) {
    if (waited > IDLE_WITHIN_SECONDS) throw new Error(`Process ${pid} is never idle`)
    const before = await readCpuSeconds(pid)
    await delay(1_000)
    const isIdle = (await readCpuSeconds(pid)) - before < IDLE_CORES
    idleSeconds = isIdle ? idleSeconds + 1 : 0
  }
}

export function describeMachine(): string {
  const cpus = os.cpus()
  const memory = Math.round(os.totalmem() / 1024 ** 3)
  return `${cpus.length} cores (${cpus[0]?.model.trim()}), ${memory} GB, Node ${process.version}`
}
