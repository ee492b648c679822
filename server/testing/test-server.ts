import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { DestinationStream } from 'pino'
import { createApi } from '#server/api.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { AppContext } from '#server/context.ts'
import { createContext, type RunningContext } from '#server/create-context.ts'
import { createAccount } from '#server/features/auth/auth.service.ts'
import { hooks } from '#server/hooks.ts'
import type { DatabasePatience } from '#server/platform/database/database.ts'
import { createLog, type Log } from '#server/platform/log.ts'
import type { MailTransport } from '#server/platform/mail/mail.ts'
import { sendMail } from '#server/platform/mail/mail-queue.ts'
import { confineTools } from '#server/platform/media-tools/confine-tools.ts'
import type { Tools } from '#server/platform/media-tools/ffmpeg.ts'
import { hashPassword } from '#server/platform/passwords/passwords.ts'
import { handlers, schedules } from '#server/worker.ts'
import { createMailbox, type Mailbox } from './mailbox.ts'
import { storageEnvironment } from './s3-server.ts'
import { createTestDatabase } from './test-database.ts'

/** An account with an open session. */
export interface Person {
  id: string
  pseudo: string
  email: string
  token: string
}

export interface Answer {
  status: number
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any shape, and fails when it is another
  body: any
  text: string
}

interface CallOptions {
  as?: Person | undefined
  body?: unknown
  headers?: Record<string, string>
}

/** The clock of the server under test. */
export interface Clock {
  now: Date
  advance(ms: number): void
}

export interface TestApp {
  ctx: RunningContext
  app: FastifyInstance
  clock: Clock
  mailbox: Mailbox
  /** One request through the whole server. */
  call(method: string, url: string, options?: CallOptions): Promise<Answer>
  /** Listens on loopback, where `inject` does not suffice; the answer is the origin. */
  listen(): Promise<string>
  /** Runs the schedules, then queued jobs until none is left. */
  runJobs(): Promise<void>
  close(): Promise<void>
}

interface Overrides {
  mail?: MailTransport
  rateLimits?: boolean
  now?: Date
  log?: DestinationStream
  config?: Partial<Config>
  patience?: DatabasePatience
}

// A starved machine works slowly, and still rightly.
const PATIENCE: DatabasePatience = { statement_timeout: 600_000, connectionTimeoutMillis: 600_000 }

/** The whole program on its own database and folder; only the clock and the mail transport are replaced. */
export async function startTestServer(overrides: Overrides = {}): Promise<TestApp> {
  const database = await createTestDatabase()
  const dataDir = await mkdtemp(path.join(tmpdir(), 'revelations-test-'))
  const clock = createClock(overrides.now ?? new Date('2026-11-20T12:00:00.000Z'))
  const mailbox = createMailbox()
  const config: Config = {
    ...readConfig({
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      PORT: '0',
      // The disk of the machine may be full.
      DISK_RESERVE_MB: '0',
      ...storageEnvironment(overrides.config?.dataDir ?? dataDir),
    }),
    ...overrides.config,
  }
  config.http.rateLimits = overrides.rateLimits ?? false
  const log = createLog(overrides.log ? 'trace' : 'silent', overrides.log)
  const ctx = await createContext(config, {
    log,
    jobs: handlers.map(({ job }) => job),
    hooks,
    overrides: {
      now: () => new Date(clock.now),
      mail: overrides.mail ?? mailbox.transport,
      patience: overrides.patience ?? PATIENCE,
      ...(overrides.config?.tools ? {} : { tools: await confinedTools(config, log) }),
    },
  })
  const app = await createApi(ctx)
  return {
    ctx,
    app,
    clock,
    mailbox,
    call: (method, url, options) => call(app, method, url, options),
    listen: () => app.listen({ host: '127.0.0.1', port: 0 }),
    runJobs: () => runJobs(ctx),
    async close() {
      ctx.announceStop()
      await app.close()
      await ctx.close()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

let tools: Promise<Tools> | undefined

/** The real confinement, detected once for all test files of a worker: the detection starts a dozen processes. */
function confinedTools(config: Config, log: Log): Promise<Tools> {
  tools ??= confineTools(config.tools, log)
  return tools
}

function createClock(start: Date): Clock {
  return {
    now: start,
    advance(ms) {
      this.now = new Date(this.now.getTime() + ms)
    },
  }
}

/** The same through any program. */
export async function call(
  app: FastifyInstance,
  method: string,
  url: string,
  { as, body, headers = {} }: CallOptions = {},
): Promise<Answer> {
  const response = await app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url,
    headers: {
      ...(as ? { authorization: `Bearer ${as.token}` } : {}),
      ...headers,
    },
    ...(body === undefined ? {} : { payload: body as object }),
  })
  // A HEAD has the type of the body it leaves out.
  const isJson = String(response.headers['content-type']).includes('json') && response.body !== ''
  return {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
    body: isJson ? response.json() : undefined,
    text: response.body,
  }
}

async function runJobs(ctx: RunningContext): Promise<void> {
  for (const schedule of schedules) await schedule.run(ctx)
  let ran = 0
  do {
    ran = 0
    const waiting = await queuesWithWork(ctx)
    for (const { job, handle } of handlers.filter(({ job }) => waiting.includes(job.name))) {
      const options = { batchSize: 50, includeMetadata: true } as const
      const batch = await ctx.boss.fetch<object>(job.name, options)
      // In the order of the queue: a job may depend on an earlier one.
      batch.sort((one, other) => one.createdOn.getTime() - other.createdOn.getTime())
      for (const fetched of batch) {
        ran += 1
        try {
          await handle(ctx, job.payload.parse(fetched.data) as never)
          await ctx.boss.complete(job.name, fetched.id)
        } catch (error) {
          await ctx.boss.fail(job.name, fetched.id, { message: String(error) })
        }
      }
    }
  } while (ran > 0)
}

/** Most are empty most of the time, and a fetch of each costs more than this one question. */
async function queuesWithWork({ pool }: RunningContext): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select distinct name from pgboss.job where state < 'active' and start_after <= now()`,
  )
  return rows.map(({ name }) => name)
}

/** The job of a mail, as the worker runs it. */
export const handleSendMail = handlers.find(({ job }) => job === sendMail)?.handle as (
  ctx: AppContext,
  payload: { mailId: string },
) => Promise<void>

/** The password of every account that `signedIn` creates. */
export const PASSWORD = 'mot de passe de test'
let passwordHash: Promise<string> | undefined
let people = 0

/** A new person with an open session. The slow hash of the password is computed once for all of them. */
export async function signedIn(
  { ctx }: Pick<TestApp, 'ctx'>,
  overrides: { pseudo?: string; email?: string } = {},
): Promise<Person> {
  passwordHash ??= hashPassword(PASSWORD, { isKnown: true, shares: [] })
  const { pseudo, email } = { ...newName(), ...overrides }
  const { user, token } = await createAccount(
    ctx,
    { pseudo, email, age_confirmed: false, passwordHash: await passwordHash },
    { ip: '127.0.0.1', userAgent: undefined },
  )
  return { id: user.id, pseudo, email, token }
}

/** As `signedIn`, through the front door: for servers reached over a network alone. */
export async function registered(server: Pick<TestApp, 'call'>): Promise<Person> {
  const { pseudo, email } = newName()
  const { status, body } = await server.call('POST', '/api/auth/register', {
    body: { pseudo, email, password: PASSWORD },
  })
  if (status !== 201) throw new Error(`Cannot register ${pseudo}: ${JSON.stringify(body)}`)
  return { id: body.user.id, pseudo, email, token: body.token }
}

function newName(): { pseudo: string; email: string } {
  people += 1
  return {
    pseudo: `personne_${people}`,
    email: `personne.${people}.${randomUUID().slice(0, 8)}@exemple.test`,
  }
}
