import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { clientOf } from '#testing/http-client.ts'
import { findFreePort, type Program, startProgram } from '#testing/program.ts'
import { createEmptyDatabase, type TestDatabase } from '#testing/test-database.ts'
import { type Person, registered } from '#testing/test-server.ts'

/** How many requests meet restarts: as many as the issue asks with ROLLING_RESTART_REQUESTS=5000. */
const REQUESTS = Number(process.env.ROLLING_RESTART_REQUESTS ?? 1_500)
const AT_ONCE = 8

let folder: string
let database: TestDatabase
let environments: Record<string, string>[]
let programs: Program[]
let person: Person

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'revelations-rolling-'))
  database = await createEmptyDatabase()
  const MASTER_KEY_FILE = path.join(folder, 'master.key')
  await writeFile(MASTER_KEY_FILE, randomBytes(32).toString('hex'), { mode: 0o600 })
  environments = await Promise.all(
    ['one', 'other'].map(async (name) => ({
      DATABASE_URL: database.url,
      MASTER_KEY_FILE,
      DATA_DIR: path.join(folder, name),
      PORT: String(await findFreePort()),
      // A start like any other, with workers that hand back their jobs.
      ROLE: 'all',
    })),
  )
  programs = []
  for (const environment of environments) programs.push(await startProgram(environment))
  person = await registered(clientOf(programs[0]?.origin ?? ''))
})
afterAll(async () => {
  await Promise.all(programs.map((program) => program.end('SIGTERM')))
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

class Unheard extends Error {}

/**
 * A proxy as nginx is by default: by turns, over connections that it keeps, and to the other one where nobody listens or
 * nothing was answered.
 */
function openProxy() {
  const agent = new http.Agent({ keepAlive: true, maxSockets: AT_ONCE })
  let turn = 0

  async function sendOnce(port: string, method: string, url: string, body?: string) {
    const headers = {
      authorization: `Bearer ${person.token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    }
    const request = http.request({ agent, port, method, path: url, headers })
    request.end(body)
    const answered = once(request, 'response').catch((error: NodeJS.ErrnoException) => {
      // Closed before a byte was answered: a proxy asks the next one then what may be sent twice, and all of these may.
      throw error.code === 'ECONNRESET' ? new Unheard() : error
    })
    const [response] = (await answered) as [http.IncomingMessage]
    await text(response)
    return response.statusCode ?? 0
  }

  return {
    close: () => agent.destroy(),
    async send(method: string, url: string, body?: string): Promise<number> {
      turn += 1
      for (let [first, tries] = [turn, 0]; ; tries += 1) {
        const port = environments[(first + tries) % environments.length]?.PORT ?? ''
        try {
          return await sendOnce(port, method, url, body)
        } catch (error) {
          const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED'
          const isUnheard = isRefused || error instanceof Unheard
          if (!isUnheard || tries > environments.length) throw error
        }
      }
    },
  }
}

it(
  'two programs are restarted by turns, and no request fails',
  async () => {
    const proxy = openProxy()
    const calls = [
      ['GET', '/api/revelations'],
      ['GET', '/api/auth/verify-token'],
      ['GET', '/'],
      ['PUT', '/api/auth/profile', JSON.stringify({ pseudo: person.pseudo })],
    ] as const
    const failures: unknown[] = []
    let sent = 0
    let isOver = false

    async function goOn(): Promise<void> {
      while (!isOver || sent < REQUESTS) {
        const [method, url, body] = calls[sent++ % calls.length] as (typeof calls)[number]
        await proxy.send(method, url, body).then(
          (status) => status < 500 || failures.push(`${method} ${url}: ${status}`),
          (error) => failures.push(`${method} ${url}: ${error}`),
        )
      }
    }

    const load = Promise.all(Array.from({ length: AT_ONCE }, goOn))
    let restarts = 0
    while (sent < REQUESTS || restarts < 4) {
      const n = restarts % programs.length
      expect(await programs[n]?.end('SIGTERM')).toBe(0)
      programs[n] = await startProgram(environments[n] ?? {})
      restarts += 1
    }
    isOver = true
    await load
    proxy.close()
    console.log(`${sent} requests, ${restarts} restarts, ${failures.length} failed`)
    expect(failures).toEqual([])
  },
  120_000 + REQUESTS * 100,
)
