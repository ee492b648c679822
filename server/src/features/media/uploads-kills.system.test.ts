import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { colourVideo } from '#testing/media-files.ts'
import { type Program, startProgram } from '#testing/program.ts'
import { openPart, sha256Of } from '#testing/resumable-uploads.ts'

const MB = 1024 * 1024
const TUS = { 'tus-resumable': '1.0.0' }

let dataDir: string

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'revelations-upload-kills-'))
})
afterAll(() => rm(dataDir, { recursive: true, force: true }))

function request(program: Program, method: string, url: string, token: string, body?: object) {
  return fetch(program.origin + url, {
    method,
    headers: {
      ...TUS,
      ...(token && { authorization: `Bearer ${token}` }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

async function register(program: Program): Promise<string> {
  const body = { pseudo: 'survivante', email: 'survivante@exemple.test', password: 'mot de passe' }
  const response = await request(program, 'POST', '/api/auth/register', '', body)
  return ((await response.json()) as { token: string }).token
}

async function begin(program: Program, token: string, length: number): Promise<string> {
  const response = await fetch(`${program.origin}/api/uploads`, {
    method: 'POST',
    headers: { ...TUS, authorization: `Bearer ${token}`, 'upload-length': String(length) },
  })
  return response.headers.get('location') ?? ''
}

async function offsetOf(program: Program, location: string, token: string): Promise<number> {
  const response = await request(program, 'HEAD', location, token)
  return Number(response.headers.get('upload-offset'))
}

it('resumes an upload after a program is killed in the middle of it, or while it finishes the file', async () => {
  const film = await colourVideo({ seconds: 4, format: 'mov' })
  const bytes = Buffer.concat([film, randomBytes(30 * MB)])
  let program = await startProgram({ DATA_DIR: dataDir })
  const token = await register(program)
  const location = await begin(program, token, bytes.length)

  const cut = openPart(program.origin, token, location, { offset: 0, length: bytes.length })
  // More than one piece, and not all of it.
  void cut.send(bytes.subarray(0, 24 * MB))
  await expect.poll(() => offsetOf(program, location, token)).toBeGreaterThan(0)
  await program.end('SIGKILL')
  cut.destroy()
  program = await startProgram({ DATA_DIR: dataDir })

  const offset = await offsetOf(program, location, token)
  expect(offset).toBeGreaterThan(0)
  expect(offset).toBeLessThan(bytes.length)
  const rest = openPart(program.origin, token, location, { offset, length: bytes.length - offset })
  await rest.send(bytes.subarray(offset))
  rest.end()
  expect(await rest.answer).toMatchObject({ status: 204 })

  const lost = request(program, 'POST', `${location}/file`, token, { folder: 'videos' }).then(
    () => 'answered',
    () => 'lost',
  )
  const drafts = path.join(dataDir, 'files/.drafts')
  await expect.poll(() => readdir(drafts), { interval: 5 }).not.toEqual([])
  await program.end('SIGKILL')
  expect(await lost).toBe('lost')

  program = await startProgram({ DATA_DIR: dataDir })
  const finished = await request(program, 'POST', `${location}/file`, token, { folder: 'videos' })
  expect(finished.status).toBe(201)
  const { url } = (await finished.json()) as { url: string }
  const served = Buffer.from(await (await fetch(program.origin + url)).arrayBuffer())
  expect(sha256Of(served)).toBe(sha256Of(bytes))
  expect(await program.end('SIGTERM')).toBe(0)
  expect(await filesWith(bytes.subarray(-40))).toEqual([])
})

/** The files of the program, its PostgreSQL’s included, that contain these bytes. */
async function filesWith(needle: Buffer): Promise<string[]> {
  const entries = await readdir(dataDir, { recursive: true, withFileTypes: true })
  const found: string[] = []
  for (const entry of entries.filter((one) => one.isFile())) {
    const file = path.join(entry.parentPath, entry.name)
    if ((await readFile(file)).includes(needle)) found.push(file)
  }
  return found
}
