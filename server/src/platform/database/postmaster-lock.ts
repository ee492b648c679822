import { readFile, readlink, rm } from 'node:fs/promises'
import path from 'node:path'
import { type PostgresFolder, SOCKET_FILE } from './postgres-folder.ts'

interface PidFile {
  pid: number
  socketFolder: string
  ready: boolean
}

function pidFileOf(data: string): string {
  return path.join(data, 'postmaster.pid')
}

/** What PostgreSQL wrote about itself when it started. It may be long gone. */
export async function readPidFile({ data }: PostgresFolder): Promise<PidFile | undefined> {
  const text = await readFile(pidFileOf(data), 'utf8').catch(() => '')
  const [pid, , , , socketFolder = '', , , status = ''] = text.split('\n')
  if (!Number(pid)) return undefined
  return { pid: Number(pid), socketFolder, ready: status.trim() === 'ready' }
}

/**
 * The number in a lock file may be another program's by now, or of a process that ended and that nobody has
 * reaped: PostgreSQL would refuse to start because of it.
 */
export async function removeForeignLocks(
  { data }: PostgresFolder,
  socketFolder: string,
): Promise<void> {
  for (const file of [pidFileOf(data), path.join(socketFolder, `${SOCKET_FILE}.lock`)]) {
    const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10)
    if (sendSignal(pid, 0) && !(await mayBePostmaster(pid, data))) await rm(file, { force: true })
  }
}

/** A postmaster works in its data folder. Where the kernel does not tell, the doubt is kept. */
export async function mayBePostmaster(pid: number, data: string): Promise<boolean> {
  const facts = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const ended = /^Z|^X/.test(facts.slice(facts.lastIndexOf(')') + 2))
  return !ended && (await readlink(`/proc/${pid}/cwd`).catch(() => data)) === data
}

/** False when there is no such process, or it is not ours. */
export function sendSignal(pid: number, name: NodeJS.Signals | 0): boolean {
  // 0 and negative numbers would reach whole groups of processes.
  if (!(pid > 0)) return false
  try {
    return process.kill(pid, name)
  } catch {
    return false
  }
}
