import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { storageEnvironment } from './s3-server.ts'

const START = path.resolve(import.meta.dirname, '../src/start.ts')

/** The real program in a process of its own. */
export interface Program {
  origin: string
  process: ChildProcess
  /** One sentence when it refuses to start. */
  stderr(): string
  /** Its log, a line of JSON each. */
  stdout(): string
  /**
   * Sends the signal and waits for the end; the answer is the exit code, null when it was killed. Throws with the end of
   * its log when it was to stop and did not do so cleanly.
   */
  end(signal: NodeJS.Signals): Promise<number | null>
}

/** The variables every program of this repository gets from the shell: none of its configuration. */
export function bareEnvironment(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env
  // Half of a start is compiling; the cache lets a hundred starts compile once.
  return { PATH, HOME, NODE_COMPILE_CACHE: path.join(tmpdir(), 'node-compile-cache') }
}

function spawnProgram(environment: Record<string, string>) {
  const bare = bareEnvironment()
  const child = spawn(process.execPath, [START], {
    env: {
      ...bare,
      RATE_LIMITS: 'off',
      DISK_RESERVE_MB: '0',
      ...storageOf(environment),
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let stderr = ''
  let stdout = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  return { child, stderr: () => stderr, stdout: () => stdout }
}

/** The storage of the tests, unless the environment names one. */
function storageOf(environment: Record<string, string>): Record<string, string> {
  const { DATA_DIR } = environment
  const hasStorage = Object.keys(environment).some((name) => name.startsWith('S3_'))
  return DATA_DIR === undefined || hasStorage ? {} : storageEnvironment(DATA_DIR)
}

const PORTS_OF_A_WORKER = 2_000
// Each worker of the suite has ports of its own: nobody else listens on one between its finding and its use.
const firstPort = 20_000 + PORTS_OF_A_WORKER * (Number(process.env.VITEST_POOL_ID ?? 0) % 6)
let usedPorts = randomInt(PORTS_OF_A_WORKER)

/** A free port of loopback, below the range from which the kernel serves outgoing connections; never the same twice. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = firstPort + (usedPorts++ % PORTS_OF_A_WORKER)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}

/** Starts the program and waits until it is ready; throws with its standard error when it refuses. */
export async function startProgram(environment: Record<string, string>): Promise<Program> {
  const port = environment.PORT ?? String(await findFreePort())
  const { child, stderr, stdout } = spawnProgram({ ...environment, PORT: port })
  const ended = once(child, 'exit') as Promise<[number | null]>
  const ready = new Promise<'ready'>((resolve) => {
    child.stdout?.on('data', () => {
      if (/is ready (on|to work)/.test(stdout())) resolve('ready')
    })
  })
  const first = await Promise.race([ready, ended])
  if (first !== 'ready') throw new Error(`The program ended with ${first[0]}: ${stderr()}`)
  return {
    origin: `http://127.0.0.1:${port}`,
    process: child,
    stderr,
    stdout,
    async end(signal) {
      child.kill(signal)
      const [exitCode] = await ended
      if (signal === 'SIGTERM' && exitCode !== 0) {
        const lastLines = stdout().split('\n').slice(-20).join('\n')
        throw new Error(`The program ended with ${exitCode}: ${stderr()}\n${lastLines}`)
      }
      return exitCode
    },
  }
}

/** Starts the program where it must refuse; answers its exit code and its standard error. */
export async function refusedStart(
  environment: Record<string, string>,
): Promise<{ exitCode: number | null; stderr: string }> {
  const { child, stderr } = spawnProgram({ PORT: '0', ...environment })
  const [exitCode] = (await once(child, 'close')) as [number | null]
  return { exitCode, stderr: stderr() }
}
