import { spawn } from 'node:child_process'
import os from 'node:os'
import type { Readable } from 'node:stream'
import { ToolFailed } from './media-errors.ts'

export interface ToolRun {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
}

interface ToolCommand {
  path: string
  args: string[]
  /** Text that must not be seen in an error, such as the address of a plain source. */
  secret?: string
  maxStdoutBytes?: number
  maxFileBytes?: number
  /** Lines the tool writes on its standard output, which are then not kept. */
  onOutputLine?: (line: string) => void
  /** Lines the tool writes on file descriptor 3. */
  onLine?: (line: string) => void
}

const STDERR_KEPT = 8_192
const MEMORY_KIB = 4 * 1024 * 1024
const LOW_PRIORITY = 10

// A decoder reads hostile bytes: it gets no core dump (plain bytes of a letter on disk), bounded memory and
// files, and none of our environment (secrets, and an http_proxy that would be given what we read on loopback).
const CONFINED =
  'ulimit -c 0; ulimit -v "$1" 2>/dev/null; ulimit -f "$2"; shift 2; exec env -i PATH="$PATH" LC_ALL=C "$@"'

/**
 * Runs a tool in a process group of its own and gives what it wrote on its standard output. The promise settles
 * only when the whole group is dead, so that what it was writing can be removed.
 */
export function runTool(command: ToolCommand, run: ToolRun = {}): Promise<Buffer> {
  const { signal, timeoutMs = 60_000 } = run
  const { maxStdoutBytes = 1024 * 1024, maxFileBytes = 1024 ** 3 } = command
  const name = command.path.split('/').at(-1)
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const limits = [String(MEMORY_KIB), String(Math.ceil(maxFileBytes / 512))]
    const child = spawn(
      '/bin/sh',
      ['-c', CONFINED, 'sh', ...limits, command.path, ...command.args],
      { detached: true, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] },
    )
    const [, out, err, lines] = child.stdio as unknown as [null, Readable, Readable, Readable]
    lowerPriority(child.pid)
    const stdout: Buffer[] = []
    let stdoutBytes = 0
    let stderr = ''
    let stopped: { reason: unknown } | undefined

    const stop = (reason: unknown) => {
      stopped ??= { reason }
      killGroup(child.pid)
    }
    const abort = () => stop(signal?.reason)
    const timer = setTimeout(
      () => stop(new ToolFailed(`${name} took more than ${timeoutMs / 1000} s`, null)),
      timeoutMs,
    )
    signal?.addEventListener('abort', abort, { once: true })

    if (command.onOutputLine) readLines(out, command.onOutputLine)
    else
      out.on('data', (chunk: Buffer) => {
        stdoutBytes += chunk.length
        if (stdoutBytes > maxStdoutBytes) stop(new ToolFailed(`${name} wrote too much`, null))
        else stdout.push(chunk)
      })
    err.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_KEPT)
    })
    readLines(lines, command.onLine)
    child.on('error', (reason) => stop(reason))
    child.on('close', (code, killedBy) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      if (stopped) return reject(stopped.reason)
      if (code === 0) return resolve(Buffer.concat(stdout))
      const how = code === null ? `was stopped by ${killedBy}` : `ended with code ${code}`
      reject(new ToolFailed(`${name} ${how}: ${redact(stderr, command.secret)}`, code))
    })
  })
}

/** The last lines, without the secret and without characters that could disturb a terminal or a log. */
export function redact(text: string, secret: string | undefined): string {
  // A cut at the front may have left half a secret: the first, partial line goes.
  const whole = text.length < STDERR_KEPT ? text : text.slice(text.indexOf('\n') + 1)
  const clean = secret ? whole.replaceAll(secret, 'source') : whole
  return clean
    .replaceAll(/https?:\/\/\S+/g, 'source')
    .replaceAll(/[^\P{C}\n]/gu, '')
    .trim()
    .slice(-600)
}

function readLines(stream: Readable, onLine: ((line: string) => void) | undefined): void {
  let rest = ''
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine?.(line)
  })
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}

/** Making variants can wait; answering people cannot. */
function lowerPriority(pid: number | undefined): void {
  if (pid === undefined) return
  try {
    os.setPriority(pid, LOW_PRIORITY)
  } catch {
    // Not allowed here, or already gone.
  }
}
