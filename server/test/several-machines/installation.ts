import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readConfig } from '#server/config.ts'
import { createContext, type RunningContext } from '#server/create-context.ts'
import { createLog } from '#server/platform/log.ts'
import { handlers } from '#server/worker.ts'
import { startTestSmtp, type TestSmtp } from '#test/mailbox.ts'
import { type Program, startProgram } from '#test/program.ts'
import { startS3Server } from '#test/s3-server.ts'
import { createEmptyDatabase } from '#test/test-database.ts'

/** Programs on machines of their own: they share a database server, a bucket, a mail server and the master key. */
export interface Installation {
  apis: [Program, Program]
  workers: [Program, Program]
  smtp: TestSmtp
  /** What a program of this installation stands on, in this process and at a time of its own. */
  openContext(now: () => Date): Promise<RunningContext>
  /** Ends what still runs; the exit codes of those that were not killed. */
  stop(): Promise<(number | null)[]>
}

/** Starts all four at the same instant, on a database that has nothing yet. */
export async function startInstallation(): Promise<Installation> {
  const folder = await mkdtemp(path.join(tmpdir(), 'revelations-machines-'))
  const [database, s3, smtp] = await Promise.all([
    createEmptyDatabase(),
    startS3Server(),
    startTestSmtp(),
  ])
  const masterKeyFile = path.join(folder, 'master.key')
  await writeFile(masterKeyFile, randomBytes(32).toString('hex'), { mode: 0o600 })
  const shared = {
    DATABASE_URL: database.url,
    MASTER_KEY_FILE: masterKeyFile,
    SMTP_URL: smtp.url,
    RATE_LIMITS: 'on',
    ...s3.addBucket('several-machines', path.join(folder, 'bucket')),
  }
  const programs: Program[] = []

  async function start(name: string, ROLE: 'api' | 'worker'): Promise<Program> {
    const program = await startProgram({ ...shared, ROLE, DATA_DIR: path.join(folder, name) })
    programs.push(program)
    return program
  }

  async function stop(): Promise<(number | null)[]> {
    const living = programs.filter(({ process }) => process.signalCode === null)
    const codes = await Promise.all(living.map((program) => program.end('SIGTERM')))
    await Promise.all([s3.stop(), smtp.stop()])
    await database.drop()
    await rm(folder, { recursive: true, force: true })
    return codes
  }

  try {
    const [api, otherApi, worker, otherWorker] = await Promise.all([
      start('api-1', 'api'),
      start('api-2', 'api'),
      start('worker-1', 'worker'),
      start('worker-2', 'worker'),
    ])
    return {
      apis: [api, otherApi],
      workers: [worker, otherWorker],
      smtp,
      openContext: (now) =>
        createContext(readConfig({ ...shared, ROLE: 'api', DATA_DIR: path.join(folder, 'test') }), {
          log: createLog('silent'),
          jobs: handlers.map(({ job }) => job),
          overrides: { now },
        }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
