import { readFile } from 'node:fs/promises'
import type { AtEnd } from './clean-up.ts'
import { listFamily } from './processes.ts'

const SAMPLE_EVERY_MS = 20

export interface MemoryWatch {
  /** Resident megabytes when the watch began. */
  beforeMb: number
  /** The most resident megabytes since the watch began, or since the last call. */
  readPeakMb(): Promise<number>
}

/** Watches one process, none of its children. */
export async function watchMemory(pid: number, atEnd: AtEnd): Promise<MemoryWatch> {
  let last = await readMemory(pid)
  const beforeMb = last.residentMb
  let sampledMb = beforeMb
  async function sample(): Promise<void> {
    sampledMb = Math.max(sampledMb, (await readMemory(pid)).residentMb)
  }
  const sampling = setInterval(() => sample().catch(() => undefined), SAMPLE_EVERY_MS)
  atEnd(() => clearInterval(sampling))
  return {
    beforeMb,
    async readPeakMb() {
      const now = await readMemory(pid)
      // The kernel misses nothing between two samples, but its mark is of the whole life of the process.
      const peakMb = now.highestMb > last.highestMb ? now.highestMb : sampledMb
      last = now
      sampledMb = now.residentMb
      return peakMb
    },
  }
}

async function readMemory(pid: number): Promise<{ residentMb: number; highestMb: number }> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const read = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024
  return { residentMb: read('VmRSS'), highestMb: read('VmHWM') }
}

/** Megabytes of a process with all its children; apart from it, those whose command includes `beside`, with theirs. */
export async function readFamilyMemory(
  pid: number,
  beside: string,
): Promise<{ own: number; beside: number }> {
  const all = await listFamily((process) => process.pid === pid)
  const members = new Set(all.map(({ pid }) => pid))
  const apart = await listFamily(({ pid, command }) => members.has(pid) && command.includes(beside))
  const besidePids = new Set(apart.map(({ pid }) => pid))
  const sums = { own: 0, beside: 0 }
  for (const { pid } of all) sums[besidePids.has(pid) ? 'beside' : 'own'] += await readShareMb(pid)
  return sums
}

/** Its own memory, and its part of shared memory. */
export async function readShareMb(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  return Number(/^Pss:\s+(\d+) kB/m.exec(rollup)?.[1] ?? 0) / 1024
}
