import { fork } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

const PROGRAM = path.join(import.meta.dirname, 's3-program.ts')
/** The only account that s3rver knows. */
const ACCOUNT = { S3_ACCESS_KEY: 'S3RVER', S3_SECRET_KEY: 'S3RVER' }

export interface S3Server {
  endpoint: string
  pid: number
  /** The folder of all buckets. */
  buckets: string
  /** Adds a bucket whose objects are files of `folder`; the answer is the environment of a program that uses it. */
  addBucket(name: string, folder: string): Record<string, string>
  stop(): Promise<void>
}

/** An S3-compatible server for tests and measurements, in a process of its own. */
export async function startS3Server(): Promise<S3Server> {
  const buckets = await mkdtemp(path.join(tmpdir(), 'revelations-s3-'))
  const child = fork(PROGRAM, [buckets], {
    // s3rver encrypts the markers of its lists with DES.
    execArgv: ['--openssl-legacy-provider'],
    env: { PATH: process.env.PATH },
  })
  const ended = once(child, 'exit')
  const failed = ended.then(([code]) => {
    throw new Error(`The bucket server ended with ${code}`)
  })
  failed.catch(() => undefined)
  const [{ endpoint }] = await Promise.race([once(child, 'message'), failed])
  child.unref()
  child.channel?.unref()
  return {
    endpoint,
    pid: child.pid ?? 0,
    buckets,
    addBucket: (name, folder) => addBucket({ endpoint, buckets }, name, folder),
    async stop() {
      child.ref()
      child.disconnect()
      await ended
      await rm(buckets, { recursive: true, force: true })
    },
  }
}

function addBucket(
  { endpoint, buckets }: { endpoint: string; buckets: string },
  name: string,
  folder: string,
): Record<string, string> {
  try {
    mkdirSync(folder, { recursive: true })
    symlinkSync(folder, path.join(buckets, name))
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    // The bucket exists, or the folder cannot be created, which the program reports better.
    if (!['EEXIST', 'ENOTDIR', 'EACCES'].includes(code)) throw error
  }
  return { S3_ENDPOINT: endpoint, S3_BUCKET: name, ...ACCOUNT }
}

/** With TEST_STORAGE=s3, programs and test servers started from here on store their files in buckets. */
export async function startTestStorage(): Promise<() => Promise<void>> {
  if (process.env.TEST_STORAGE !== 's3') return async () => undefined
  const server = await startS3Server()
  process.env.TEST_S3 = JSON.stringify({ endpoint: server.endpoint, buckets: server.buckets })
  process.env.TEST_S3_PID = String(server.pid)
  return server.stop
}

/**
 * The storage settings of a program on this DATA_DIR: none, or those of a bucket of its own whose objects are the files of
 * DATA_DIR/files all the same, so that a test finds them there.
 */
export function storageEnvironment(dataDir: string): Record<string, string> {
  if (!process.env.TEST_S3) return {}
  const name = `test-${createHash('sha256').update(path.resolve(dataDir)).digest('hex').slice(0, 32)}`
  return addBucket(JSON.parse(process.env.TEST_S3), name, path.join(dataDir, 'files'))
}

/** The process that opens the stored files. */
export function storageProcess(): number {
  return Number(process.env.TEST_S3_PID ?? process.pid)
}
