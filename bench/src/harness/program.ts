import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { SessionOpened } from '#contract/auth.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import type { Db } from '#server/platform/database/db.ts'
import {
  connectionUrl,
  startEmbeddedPostgres,
} from '#server/platform/database/embedded-postgres.ts'
import { postmasterPid } from '#testing/postgres-programs.ts'
import { findFreePort } from '#testing/program.ts'
import type { AtEnd } from './clean-up.ts'

const START = path.resolve(import.meta.dirname, '../../../script/start')

/** The real program in a process of its own, on a folder and a database of its own. */
export interface Program {
  origin: string
  pid: number
  /** The first process of its PostgreSQL, which started all others. */
  postgresPid: number
  /** For data without an endpoint. */
  db: Db
  /** Where its PostgreSQL is. */
  connection: { host: string; port: number; user: string; database: string }
  /** One JSON call; throws with the answer unless it succeeds. */
  call<T>(method: string, url: string, options?: { token?: string; body?: object }): Promise<T>
}

/** PostgreSQL is started apart from the program, so that only the program's own process is measured. */
export async function startProgram(
  dataDir: string,
  environment: Record<string, string>,
  atEnd: AtEnd,
): Promise<Program> {
  await mkdir(dataDir, { recursive: true })
  const log = { info: () => undefined, warn: console.warn }
  const postgres = await startEmbeddedPostgres({ dataDir, log })
  atEnd(postgres.stop)
  const { db, close } = openDatabase(postgres.connection, log)
  atEnd(close)
  const port = await findFreePort()
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(START, {
    env: {
      PATH,
      HOME,
      DATA_DIR: dataDir,
      DATABASE_URL: connectionUrl(postgres.connection),
      PORT: String(port),
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'warn',
      ...environment,
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  atEnd(() => {
    child.kill('SIGTERM')
    return ended
  })
  const origin = `http://127.0.0.1:${port}`
  while (!(await isReady(origin))) {
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}`)
    await delay(50)
  }
  return {
    origin,
    pid: child.pid ?? 0,
    postgresPid: await postmasterPid(dataDir),
    db,
    connection: postgres.connection,
    async call<T>(method: string, url: string, options: { token?: string; body?: object } = {}) {
      const { token, body } = options
      const answer = await fetch(`${origin}${url}`, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`)
      return JSON.parse(text) as T
    },
  }
}

async function isReady(origin: string): Promise<boolean> {
  const answer = await fetch(`${origin}/api/health`).catch(() => undefined)
  await answer?.arrayBuffer()
  return answer?.ok ?? false
}

/** An account whose plan has room for everything here, and whose address is verified, without which none has. */
export async function signUp(
  { call, db }: Program,
  pseudo = 'bench',
): Promise<{ token: string; userId: string; email: string }> {
  const email = `${pseudo}@exemple.test`
  const body = { email, pseudo, password: 'une phrase bien longue' }
  const { token, user } = await call<SessionOpened>('POST', '/api/auth/register', { body })
  await db.insertInto('subscriptions').values({ userId: user.id, plan: 'unlimited' }).execute()
  await db
    .updateTable('users')
    .set({ emailVerifiedAt: new Date() })
    .where('id', '=', user.id)
    .execute()
  return { token, userId: user.id, email }
}

/** Seals a public letter, unless `changes` say otherwise; answers its id. */
export async function sealLetter(
  { call }: Program,
  author: string,
  instant: Date,
  changes: object = {},
): Promise<string> {
  const body = {
    title: 'Ce que je crois pour l’an prochain',
    content: 'Une phrase de plus, pour que la lettre soit longue. '.repeat(40),
    target_email: 'famille@exemple.test',
    category: 'general',
    visibility: 'public',
    reveal_date: instant.toISOString(),
    time_zone: 'Europe/Brussels',
    ...changes,
  }
  const { revelation } = await call<{ revelation: { id: string } }>('POST', '/api/revelations', {
    token: author,
    body,
  })
  return revelation.id
}
