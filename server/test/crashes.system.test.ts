import { randomInt, randomUUID } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { type Program, startProgram } from '#testing/program.ts'

/** How many times each kind of kill strikes: two here, thirty with `CRASHES=30`. */
const KILLS = Number(process.env.CRASHES ?? 2)
const WRITERS = 4
const SETTLED_WITHIN_MS = 600_000

interface Letter {
  author: { id: string; token: string }
  content: string
  targetEmail: string
  hasFile: boolean
}

interface Acknowledged extends Letter {
  id: string
}

/** A letter whose answer was cut by a kill: sealed or not, it is sent again with its key. */
interface Unanswered extends Letter {
  key: string
  body: object
}

let folder: string
let picture: Blob

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'revelations-crashes-'))
  const bytes = await sharp({
    create: { width: 40, height: 30, channels: 3, background: '#b3263a' },
  })
    .png()
    .toBuffer()
  picture = new Blob([new Uint8Array(bytes)])
})
afterAll(() => rm(folder, { recursive: true, force: true }))

// biome-ignore lint/suspicious/noExplicitAny: a wrong shape fails the test
type Body = any

async function send(
  origin: string,
  url: string,
  token: string | null,
  body: unknown,
  key?: string,
): Promise<Body> {
  const isForm = body instanceof FormData
  const response = await fetch(origin + url, {
    method: 'POST',
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(isForm ? {} : { 'content-type': 'application/json' }),
      ...(key && { [IDEMPOTENCY_HEADER]: key }),
    },
    body: isForm ? body : JSON.stringify(body),
  })
  if (response.status !== 201) throw new Error(`${url} answered ${response.status}`)
  return response.json()
}

async function uploadPicture(origin: string, token: string): Promise<string> {
  const form = new FormData()
  form.set('folder', 'images')
  form.set('file', picture, 'image.png')
  return (await send(origin, '/api/upload', token, form)).url
}

/** Resolves once that many more writes were acknowledged. */
async function acknowledgedMore(
  acknowledged: readonly Acknowledged[],
  more: number,
): Promise<void> {
  const wanted = acknowledged.length + more
  while (acknowledged.length < wanted) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Seals letters that open at once, one after the other, until the program is gone. */
async function write(
  origin: string,
  acknowledged: Acknowledged[],
  unanswered: Unanswered[],
): Promise<void> {
  for (;;) {
    try {
      const name = randomUUID().slice(0, 8)
      const { token, user } = await send(origin, '/api/auth/register', null, {
        pseudo: `auteur_${name}`,
        email: `${name}@exemple.test`,
        password: 'mot de passe',
      })
      // A free account holds five.
      for (let n = 0; n < 5; n += 1) {
        const words = {
          content: `Lettre ${randomUUID()}`,
          targetEmail: `${randomUUID()}@exemple.test`,
        }
        const hasFile = n === 0
        const file_url = hasFile ? await uploadPicture(origin, token) : undefined
        const reveal_date = new Date().toISOString()
        const body = {
          ...{ title: 'Sous les coups', reveal_date, time_zone: zoneAtNoon(), file_url },
          ...words,
        }
        const letter = { author: { id: user.id, token }, hasFile, ...words }
        const sent = { ...letter, body, key: randomUUID() }
        unanswered.push(sent)
        acknowledged.push(await seal(origin, sent))
        unanswered.splice(unanswered.indexOf(sent), 1)
      }
    } catch {
      return
    }
  }
}

/** It stays today there while a letter that opens at once is sent again after a kill. */
function zoneAtNoon(): string {
  const hours = 12 - new Date().getUTCHours()
  if (hours === 0) return 'Etc/GMT'
  return `Etc/GMT${hours > 0 ? '-' : '+'}${Math.abs(hours)}`
}

async function seal(origin: string, { key, body, ...letter }: Unanswered): Promise<Acknowledged> {
  const { token } = letter.author
  const { revelation } = await send(origin, '/api/revelations', token, body, key)
  return { ...letter, id: revelation.id }
}

async function strike(program: Program, dataDir: string, withPostgres: boolean): Promise<void> {
  const postmaster = Number(
    (await readFile(path.join(dataDir, 'postgres/postmaster.pid'), 'utf8')).split('\n')[0],
  )
  if (withPostgres) process.kill(postmaster, 'SIGKILL')
  await program.end('SIGKILL')
}

async function readAll(origin: string, acknowledged: readonly Acknowledged[]): Promise<Body[]> {
  const found: Body[] = []
  for (const { id, author } of acknowledged) {
    found.push((await read(origin, `/api/revelations/${id}`, author.token)).revelation)
  }
  return found
}

async function read(origin: string, url: string, token: string): Promise<Body> {
  const response = await fetch(origin + url, { headers: { authorization: `Bearer ${token}` } })
  return response.json()
}

/** The letters that these authors have, by their words. */
async function listSealed(origin: string, authors: readonly Letter['author'][]): Promise<string[]> {
  const contents: string[] = []
  for (const { id, token } of authors) {
    const { revelations } = await read(origin, `/api/revelations/user/${id}?limit=50`, token)
    contents.push(...revelations.map(({ content }: Body) => content))
  }
  return contents
}

/** The addresses of the mails in the outbox, each as often as it was written to. */
async function listMailed(dataDir: string): Promise<string[]> {
  const outbox = path.join(dataDir, 'outbox')
  const names = (await readdir(outbox)).filter((name) => name.endsWith('.eml'))
  const texts = await Promise.all(names.map((name) => readFile(path.join(outbox, name), 'utf8')))
  return texts.map((text) => /^To: [^<]*<([^<>\s]+)>/m.exec(text)?.[1] ?? 'nobody')
}

async function until(isSettled: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + SETTLED_WITHIN_MS
  while (!(await isSettled())) {
    if (Date.now() > deadline) return
    await new Promise((resolve) => setTimeout(resolve, 500))
  }
}

describe.each([
  ['the program alone', false],
  ['the program with its PostgreSQL', true],
])(`${KILLS} kill -9 of %s under writing`, (_name, withPostgres) => {
  it(
    'lose no acknowledged write, no job and no mail',
    async () => {
      const dataDir = path.join(folder, withPostgres ? 'both' : 'alone')
      const environment = { DATA_DIR: dataDir }
      const acknowledged: Acknowledged[] = []
      const unanswered: Unanswered[] = []
      for (let kill = 0; kill < KILLS; kill += 1) {
        const program = await startProgram(environment)
        const writers = Array.from({ length: WRITERS }, () =>
          write(program.origin, acknowledged, unanswered),
        )
        await acknowledgedMore(acknowledged, randomInt(1, 20))
        await new Promise((resolve) => setTimeout(resolve, randomInt(0, 200)))
        await strike(program, dataDir, withPostgres)
        await Promise.all(writers)
      }

      const program = await startProgram(environment)
      for (const letter of unanswered) acknowledged.push(await seal(program.origin, letter))
      const mailed = new Set<string>()
      await until(async () => {
        for (const address of await listMailed(dataDir)) mailed.add(address)
        const revelations = await readAll(
          program.origin,
          acknowledged.filter((item) => item.hasFile),
        )
        return (
          acknowledged.every(({ targetEmail }) => mailed.has(targetEmail)) &&
          revelations.every((revelation) => revelation.processing_status === 'completed')
        )
      })

      const revelations = await readAll(program.origin, acknowledged)
      const targets = new Set(acknowledged.map(({ targetEmail }) => targetEmail))
      const mails = (await listMailed(dataDir)).filter((address) => targets.has(address))
      const twice = mails.length - new Set(mails).size
      console.log(
        `${acknowledged.length} acknowledged, ${unanswered.length} of them asked again, ${mailed.size} mailed, ${twice} twice`,
      )
      expect(acknowledged.length).toBeGreaterThan(0)
      const authors = new Map(acknowledged.map(({ author }) => [author.id, author]))
      const sealed = await listSealed(program.origin, [...authors.values()])
      expect(sealed.sort(), 'none is sealed twice').toEqual(
        acknowledged.map(({ content }) => content).sort(),
      )
      expect(revelations.map((revelation) => revelation?.content)).toEqual(
        acknowledged.map(({ content }) => content),
      )
      expect(acknowledged.filter(({ targetEmail }) => !mailed.has(targetEmail))).toEqual([])
      const unfinished = revelations.filter(
        ({ file_type, processing_status }) => file_type && processing_status !== 'completed',
      )
      expect(unfinished.map(({ id, processing_status }) => [id, processing_status])).toEqual([])
      expect(await program.end('SIGTERM')).toBe(0)
      // Beside the key stands the last checkpoint of the log, perhaps with a draft that a kill left.
      const keys = await readdir(path.join(dataDir, 'keys'))
      expect(keys.filter((name) => !name.startsWith('log-checkpoint.txt'))).toEqual(['master.key'])
    },
    KILLS * 60_000 + SETTLED_WITHIN_MS,
  )
})
