import { createHash, randomBytes } from 'node:crypto'
import { readdir, rm, stat } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { unlessAbsent } from './folders.ts'

// Longer than any transfer may last.
const MAX_AGE_MS = 24 * 60 * 60 * 1000

/** The name of a file being written: which machine and which process write it, and a random part. */
export function makeDraftName(): string {
  return `${machineName()}-${process.pid}-${randomBytes(9).toString('hex')}`
}

/** Removes what a killed process has left, and nothing that another one may still be writing. */
export async function sweepStaleDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const facts = await unlessAbsent(stat(path))
    if (facts && isStale(name, facts.mtimeMs)) await rm(path, { force: true })
  }
}

function isStale(name: string, modifiedAtMs: number): boolean {
  const [machine, pid] = name.split('-')
  // A process of another machine, or container, cannot be asked whether it lives.
  if (machine !== machineName()) return modifiedAtMs < Date.now() - MAX_AGE_MS
  const startedAtMs = Date.now() - process.uptime() * 1000
  if (Number(pid) === process.pid) return modifiedAtMs < startedAtMs
  return !isRunning(Number(pid))
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function machineName(): string {
  return createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
}
