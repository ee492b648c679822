import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import os from 'node:os'
import type { Readable } from 'node:stream'
import { ToolFailed, TooMuchWork } from './media-errors.ts'

export interface ToolRun {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  /** Nobody waits for it: it leaves the processor to other work. */
  isBackground?: boolean | undefined
}

export interface Account {
  uid: number
  gid: number
}

/** Restricts a tool to its work: see docs/decisions/0024-confined-tools.md. */
export interface Confinement {
  /** Command to put before a tool's own, in words without spaces. */
  prefix: string[]
  /** The account that runs it, if it is not that of the program. */
  account?: Account
  /** The account of its process, if no command of the prefix changes it. */
  spawnAs?: Account
  /** The address by which it reaches a plain source. */
  addressOf(url: string): string
}

interface ToolCommand {
  path: string
  args: string[]
  confinement?: Confinement | undefined
  /** Text that no error may contain, such as the address of a plain source. */
  secret?: string
  maxStdoutBytes?: number
  maxFileBytes?: number
  /** Receives the lines of the standard output, which is then not returned. */
  onOutputLine?: (line: string) => void
  /** Receives the lines of file descriptor 3. */
  onLine?: (line: string) => void
}

const STDERR_MAX = 8_192
const MEMORY_KIB = 4 * 1024 * 1024
/** Threads of all tools together, if they run as an account of their own. */
const MAX_PROCESSES = 512
/** Seconds of processor for a second of the clock: the number of threads that work at once. */
const PROCESSORS = 2
const NICENESS = { waitedFor: 10, background: 19 }

// A decoder reads hostile bytes: no core dump (plain bytes on disk), limited memory, files, processor and processes, and
// no environment (secrets; an http_proxy would receive the plain source). Shells differ in the option for processes.
const LIMITED = `ulimit -c 0; ulimit -v "$1" 2>/dev/null; ulimit -f "$2"; ulimit -t "$3"
[ -z "$4" ] || ulimit -u "$4" 2>/dev/null || ulimit -p "$4" 2>/dev/null
prefix=$5; shift 5; exec $prefix env -i PATH="$PATH" LC_ALL=C "$@"`

/**
 * Runs a tool in a process group of its own and returns its standard output. The promise settles only when the whole
 * group is dead, so that its files can be deleted.
 */
export function runTool(command: ToolCommand, run: ToolRun = {}): Promise<Buffer> {
  const { signal, timeoutMs = 60_000 } = run
  const { maxStdoutBytes = 1024 * 1024 } = command
  const name = command.path.split('/').at(-1)
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const child = spawn('/bin/sh', ['-c', LIMITED, 'sh', ...confine(command, timeoutMs)], {
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
      ...command.confinement?.spawnAs,
    })
    const [, out, err, lines] = child.stdio as unknown as [null, Readable, Readable, Readable]
    lowerPriority(child.pid, run.isBackground ? NICENESS.background : NICENESS.waitedFor)
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
      () => stop(new TooMuchWork(`${name} took more than ${timeoutMs / 1000} s`, null)),
      timeoutMs,
    )
    signal?.addEventListener('abort', abort, { once: true })

    if (command.onOutputLine) readLines(out, command.onOutputLine)
    else
      out.on('data', (chunk: Buffer) => {
        stdoutBytes += chunk.length
        if (stdoutBytes > maxStdoutBytes) stop(new TooMuchWork(`${name} wrote too much`, null))
        else stdout.push(chunk)
      })
    err.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-STDERR_MAX)
    })
    readLines(lines, command.onLine)
    child.on('error', (reason) => stop(reason))
    // Its children must not outlive it: they would leave its pipes open.
    child.on('exit', () => killGroup(child.pid))
    child.on('close', (code, killedBy) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      if (stopped) return reject(stopped.reason)
      if (code === 0) return resolve(Buffer.concat(stdout))
      const how = code === null ? `was stopped by ${killedBy}` : `ended with code ${code}`
      const Failure = LIMIT_SIGNALS.has(killedBy ?? '') ? TooMuchWork : ToolFailed
      reject(new Failure(`${name} ${how}: ${redact(stderr, command.secret)}`, code))
    })
  })
}

/** Signals of the system at a limit of processor, memory or size. */
const LIMIT_SIGNALS = new Set(['SIGKILL', 'SIGXCPU', 'SIGXFSZ'])

/** The limits and the command as arguments of the shell script. */
function confine(command: ToolCommand, timeoutMs: number): string[] {
  const { path, args, confinement, maxFileBytes = 1024 ** 3 } = command
  const limits = [
    MEMORY_KIB,
    Math.ceil(maxFileBytes / 512),
    Math.ceil((timeoutMs / 1000) * PROCESSORS),
    confinement?.account ? MAX_PROCESSES : '',
  ]
  return [...limits.map(String), confinement?.prefix.join(' ') ?? '', path, ...args]
}

/** The last lines, without the secret and without characters that could disturb a terminal or a log. */
export function redact(text: string, secret: string | undefined): string {
  // A cut at the front may leave half a secret: the first, partial line is dropped.
  const whole = text.length < STDERR_MAX ? text : text.slice(text.indexOf('\n') + 1)
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

/** Answers to people come before variants. */
function lowerPriority(pid: number | undefined, niceness: number): void {
  if (pid === undefined) return
  const ways = [
    () => os.setPriority(pid, niceness),
    // Linux may share the processor among sessions first, and a tool has one of its own: that weighs by its own number.
    () => writeFileSync(`/proc/${pid}/autogroup`, String(niceness)),
  ]
  for (const lower of ways) {
    try {
      lower()
    } catch {
      // Not here, not allowed, or already gone.
    }
  }
}
