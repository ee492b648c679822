import { once } from 'node:events'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findFreePort, type Program, refusedStart, startProgram } from '#testing/program.ts'

// A folder that a first start has filled; each case that may hurt it works on it and then starts it again.
let folder: string
let dataDir: string

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'revelations-starts-'))
  dataDir = path.join(folder, 'data')
  const first = await startProgram({ DATA_DIR: dataDir })
  expect(await register(first, 'première')).toBe(201)
  // What an operator would not hear otherwise, though nothing is refused.
  expect(first.stdout()).toContain('RATE_LIMITS is off')
  expect(first.stdout()).toContain(`no mail leaves: without SMTP_URL each is a file in ${dataDir}`)
  expect(await first.end('SIGTERM')).toBe(0)
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function register(program: Program, pseudo: string): Promise<number> {
  const response = await fetch(`${program.origin}/api/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      pseudo,
      email: `${pseudo.length}.x@exemple.test`,
      password: 'mot de passe',
    }),
  })
  return response.status
}

async function expectRefusal(environment: Record<string, string>, sentence: RegExp): Promise<void> {
  const { exitCode, stderr } = await refusedStart({ DATA_DIR: dataDir, ...environment })
  expect(stderr).toMatch(sentence)
  expect(stderr.trim().split('\n')).toHaveLength(1)
  expect(exitCode).toBe(1)
}

describe('the program refuses to start, in one sentence,', () => {
  // `config.test.ts` holds the sentences for every variable.
  it('with a value that cannot be used', () => expectRefusal({ PORT: 'beaucoup' }, /PORT/))

  it('with a bucket that does not answer, and no secret in what it says', async () => {
    const endpoint = `http://127.0.0.1:${await findFreePort()}`
    const bucket = { S3_BUCKET: 'films', S3_ACCESS_KEY: 'key', S3_SECRET_KEY: 'the secret' }
    await expectRefusal(
      { ...bucket, S3_ENDPOINT: endpoint },
      /^S3_ENDPOINT (?!.*secret).*ECONNREFUSED/,
    )
  })

  it('with a database server that does not answer', async () => {
    const port = await findFreePort()
    await expectRefusal(
      { DATABASE_URL: `postgresql://nobody:secret@127.0.0.1:${port}/nothing` },
      /^DATABASE_URL (?!.*secret)/,
    )
  })

  // `check-tools.test.ts` holds the sentences for each tool.
  it('without ffmpeg', () =>
    expectRefusal({ FFMPEG_PATH: '/nowhere/ffmpeg' }, /ffmpeg.*FFMPEG_PATH/))

  it('with a folder that cannot be one', async () => {
    const file = path.join(folder, 'a file')
    await writeFile(file, '')
    for (const DATA_DIR of [file, path.join(file, 'data'), '/dev/null/data', '/proc/data']) {
      await expectRefusal({ DATA_DIR }, /^DATA_DIR « .+ » cannot be used, .+: choose a folder/)
    }
  })

  it('on a taken port', async () => {
    const port = await findFreePort()
    const other = createServer().listen(port, '127.0.0.1')
    await once(other, 'listening')
    await expectRefusal({ PORT: String(port) }, /PORT .* already taken/)
    other.close()
  })

  it('without the master key, with another one, or with one that is no key', async () => {
    const key = path.join(dataDir, 'keys/master.key')
    const original = await readFile(key)
    try {
      await rm(key)
      await expectRefusal({}, /master key/i)
      await writeFile(key, 'pas une clé')
      await expectRefusal({}, /master\.key/)
      const elsewhere = path.join(folder, 'elsewhere')
      const other = await startProgram({ DATA_DIR: elsewhere })
      expect(await other.end('SIGTERM')).toBe(0)
      await cp(path.join(elsewhere, 'keys/master.key'), key)
      await expectRefusal({}, /not the master key/)
      await expectRefusal({ MASTER_KEY_FILE: '/nowhere/key' }, /MASTER_KEY_FILE|\/nowhere\/key/)
    } finally {
      await writeFile(key, original)
    }
  })

  it('a second time on the same folder, and the first one goes on', async () => {
    const first = await startProgram({ DATA_DIR: dataDir })
    await expectRefusal({}, /./)
    expect(await register(first, 'toujours_là')).toBe(201)
    expect(await first.end('SIGTERM')).toBe(0)
  })

  it('never for a mail server that does not answer: it says so, and goes on', async () => {
    const port = await findFreePort()
    const SMTP_URL = `smtp://someone:secret@127.0.0.1:${port}`
    const program = await startProgram({ DATA_DIR: dataDir, SMTP_URL })
    const output = program.process.stdout as NodeJS.ReadableStream
    while (!program.stdout().includes('mails cannot leave')) await once(output, 'data')
    expect(program.stdout()).toContain(`mails leave by 127.0.0.1:${port}`)
    expect(program.stdout()).toContain('ECONNREFUSED')
    expect(program.stdout()).not.toContain('secret')
    expect(await program.end('SIGTERM')).toBe(0)
  })

  it('and damages nothing: it starts again with what it had', async () => {
    const again = await startProgram({ DATA_DIR: dataDir })
    expect(await register(again, 'première')).toBe(409)
    expect(await again.end('SIGTERM')).toBe(0)
  })
})
