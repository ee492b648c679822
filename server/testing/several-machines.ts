import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readConfig } from '#server/config.ts'
import { createContext, type RunningContext } from '#server/create-context.ts'
import { hooks } from '#server/hooks.ts'
import { createLog } from '#server/platform/log.ts'
import { handlers } from '#server/worker.ts'
import { type Client, clientOf } from './http-client.ts'
import { startTestSmtp, type TestSmtp } from './mailbox.ts'
import { type Program, startProgram } from './program.ts'
import { startS3Server } from './s3-server.ts'
import { createEmptyDatabase } from './test-database.ts'
import { type Person, registered } from './test-server.ts'
import { uploadFile } from './uploads.ts'

/** Programs on separate machines: they share a database server, a bucket, a mail server and the master key. */
export interface Installation {
  apis: [Program, Program]
  workers: [Program, Program]
  smtp: TestSmtp
  /** The context of a program of this installation, in this process and with its own clock. */
  openContext(now: () => Date): Promise<RunningContext>
  /** Stops the running programs; answers their exit codes. */
  stop(): Promise<(number | null)[]>
}

/** Starts all four at the same instant, on an empty database. */
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
          hooks,
          overrides: { now },
        }),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** A letter that the server has acknowledged. */
export interface Acknowledged {
  id: string
  author: Person
  content: string
  targetEmail: string
}

/** A free account may have five; a lost answer may have sealed one more. */
const PER_AUTHOR = 4
const WRITERS = 4

/** People, registered by turns through each api. */
export async function register(origins: readonly string[], creates: number): Promise<Person[]> {
  const count = WRITERS * Math.ceil(creates / PER_AUTHOR / WRITERS)
  const people: Person[] = []
  for (let n = 0; n < count; n += 1) {
    people.push(await registered(clientOf(origins[n % origins.length] ?? '', `192.0.2.${n}`)))
  }
  return people
}

/**
 * Seals letters with a video that open at once, several at the same time and by turns through each api. A call that one
 * api does not answer is repeated through the next, as a person does.
 */
export async function createMany(
  origins: readonly [string, string],
  authors: readonly Person[],
  { creates, video }: { creates: number; video: Buffer },
  onAcknowledged: (count: number) => void,
): Promise<Acknowledged[]> {
  const acknowledged: Acknowledged[] = []
  const apis = [clientOf(origins[0]), clientOf(origins[1])] as const

  async function createOne(n: number): Promise<Acknowledged> {
    const author = authors[n % authors.length] as Person
    const [one, other] = n % 2 ? [apis[1], apis[0]] : apis
    const ways = [
      { fileTo: one, letterTo: other },
      { fileTo: other, letterTo: other },
      { fileTo: one, letterTo: one },
    ]
    const failures: unknown[] = []
    for (const way of ways) {
      try {
        return await create(way, author, video)
      } catch (error) {
        failures.push(error)
      }
    }
    throw new AggregateError(failures, 'No api accepted it')
  }

  // Each writer has its own authors: an account may send two files at once, and a transfer to a killed api counts for
  // minutes.
  async function write(writer: number): Promise<void> {
    for (let n = writer; n < creates; n += WRITERS) {
      onAcknowledged(acknowledged.push(await createOne(n)))
    }
  }
  await Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)))
  return acknowledged
}

/** Seals one letter with a video that opens at once. */
export async function create(
  { fileTo, letterTo }: { fileTo: Client; letterTo: Client },
  author: Person,
  video: Buffer,
): Promise<Acknowledged> {
  const facts = { content: `Lettre ${randomUUID()}`, targetEmail: `${randomUUID()}@exemple.test` }
  const file = { bytes: video, name: 'film.mp4', folder: 'videos', type: 'video/mp4' } as const
  const { url } = await uploadFile(fileTo, author, file)
  const { status, body, text } = await letterTo.call('POST', '/api/revelations', {
    as: author,
    body: {
      title: 'Sur plusieurs machines',
      content: facts.content,
      target_email: facts.targetEmail,
      reveal_date: new Date().toISOString(),
      file_url: url,
    },
  })
  if (status !== 201) throw new Error(`Not sealed: ${text}`)
  return { id: body.revelation.id, author, ...facts }
}
