import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openDatabase } from '#server/platform/database/database.ts'
import { openBucket, openDisk } from '#server/platform/storage/open-storage.ts'
import type { Storage } from '#server/platform/storage/storage.ts'
import { bareEnvironment, startProgram } from '#testing/program.ts'
import { type S3Server, startS3Server } from '#testing/s3-server.ts'
import { createEmptyDatabase, type TestDatabase } from '#testing/test-database.ts'

const NODE = path.resolve(import.meta.dirname, '../../../node_modules/.bin/node')
const COMMAND = path.join(import.meta.dirname, 'storage-move.ts')

const OBJECTS = new Map([
  ['media/ab/film', randomBytes(6_000_000)],
  ['media/ab/image', randomBytes(70_000)],
  ['avatars/cd/empty', Buffer.alloc(0)],
])

let server: S3Server
let database: TestDatabase
let folder: string
let dataDir: string
let bucketFolder: string
let environment: Record<string, string>
let disk: Storage
let bucket: Storage
let count = 0

beforeAll(async () => {
  server = await startS3Server()
  database = await createEmptyDatabase()
  folder = await mkdtemp(path.join(tmpdir(), 'storage-move-'))
})
afterAll(async () => {
  await server.stop()
  await database.drop()
  await rm(folder, { recursive: true })
})

beforeEach(async () => {
  count += 1
  dataDir = path.join(folder, `data-${count}`)
  bucketFolder = path.join(folder, `bucket-${count}`)
  environment = server.addBucket(`move-${count}`, bucketFolder)
  disk = await openDisk(dataDir)
  bucket = await openBucket({
    endpoint: server.endpoint,
    bucket: `move-${count}`,
    region: 'us-east-1',
    accessKey: 'S3RVER',
    secretKey: 'S3RVER',
  })
})

interface Output {
  code: number
  out: string
  stderr: string
}

function move(args: string[], env: Record<string, string> = environment): Promise<Output> {
  return new Promise((resolve) => {
    execFile(
      NODE,
      [COMMAND, ...args],
      { env: { ...bareEnvironment(), DATA_DIR: dataDir, ...env } },
      (error, out, stderr) => resolve({ code: error ? Number(error.code) : 0, out, stderr }),
    )
  })
}

/** What an installation says whose database is on a server. */
function onDatabase(): Record<string, string> {
  return { ...environment, DATABASE_URL: database.url }
}

async function fill(storage: Storage): Promise<void> {
  for (const [key, bytes] of OBJECTS) await storage.put(key, Readable.from([Buffer.from(bytes)]))
}

async function expectAllIn(storage: Storage): Promise<void> {
  for (const [key, bytes] of OBJECTS) {
    expect((await buffer(await storage.get(key))).equals(bytes)).toBe(true)
  }
}

it('copies everything to the bucket and back, and says how much', async () => {
  await fill(disk)

  const there = await move(['--to', 'bucket'])
  expect(there).toMatchObject({ code: 0, stderr: '' })
  expect(there.out).toBe(
    '3 files (6.1 MB) copied and read back; 0 files (0 MB) there already and the same\n',
  )
  await expectAllIn(bucket)
  await expectAllIn(disk)

  for (const key of OBJECTS.keys()) await disk.delete(key)
  expect((await move(['--to', 'disk'])).code).toBe(0)
  await expectAllIn(disk)
})

it('goes on where it was cut, and copies again what is not the same', async () => {
  await fill(disk)
  await bucket.put(
    'media/ab/image',
    Readable.from([Buffer.from(OBJECTS.get('media/ab/image') ?? '')]),
  )
  await bucket.put('media/ab/film', Readable.from([randomBytes(6_000_000)]))

  const { out } = await move(['--to', 'bucket'])

  expect(out).toContain('2 files (6 MB) copied and read back; 1 file (0.1 MB) there already')
  await expectAllIn(bucket)
})

it('deletes the source when it is told to, after everything is the same at both ends', async () => {
  await fill(disk)

  const { code, out } = await move(['--to', 'bucket', '--delete-source'], onDatabase())

  expect([code, out]).toEqual([0, expect.stringContaining('3 deleted where they came from')])
  await expectAllIn(bucket)
  for (const key of OBJECTS.keys()) expect(await disk.size(key)).toBeUndefined()
})

it('says what could not be copied, copies the others, and deletes nothing', async () => {
  await fill(bucket)
  // A folder stands where the film should go.
  await disk.put('media/ab/film/below', Readable.from([]))

  const { code, stderr } = await move(['--to', 'disk', '--delete-source'], onDatabase())

  expect(code).toBe(1)
  expect(stderr).toMatch(/^media\/ab\/film: .*\n1 could not be copied, and nothing was deleted/)
  expect(await disk.size('media/ab/image')).toBe(70_000)
  await expectAllIn(bucket)
})

it('deletes nothing under a program on any machine that shares its database', async () => {
  await fill(disk)
  const other = openDatabase({ connectionString: database.url }, { warn: () => undefined })
  // Left idle, it would be closed after ten seconds, and two commands may take longer.
  const connection = await other.pool.connect()
  try {
    const { code, stderr } = await move(['--to', 'bucket', '--delete-source'], onDatabase())
    expect([code, stderr]).toEqual([1, expect.stringContaining('stop it before')])
    expect((await move(['--to', 'bucket'], onDatabase())).out).toContain('The program is running')
  } finally {
    connection.release()
    await other.close()
  }
  await expectAllIn(disk)
})

it('deletes nothing when it cannot see whether a program runs', async () => {
  await fill(disk)
  const DATABASE_URL = 'postgresql://nobody@127.0.0.1:9/nowhere'
  for (const [env, sentence] of [
    [{ ...environment, DATABASE_URL }, 'The database cannot be reached'],
    [environment, 'say its DATA_DIR, or its DATABASE_URL'],
  ] as const) {
    const { code, stderr } = await move(['--to', 'bucket', '--delete-source'], env)
    expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
    expect(stderr.trim().split('\n')).toHaveLength(1)
  }
  await expectAllIn(disk)
})

it('says that the program is running, and deletes nothing under it', async () => {
  const program = await startProgram({ DATA_DIR: dataDir, S3_BUCKET: '' })
  try {
    const asOne = await move(['--to', 'bucket', '--delete-source'])
    expect([asOne.code, asOne.stderr]).toEqual([1, expect.stringContaining('stop it before')])
    expect((await move(['--to', 'bucket'])).out).toContain('The program is running')
  } finally {
    await program.end('SIGTERM')
  }
})

it.each([
  [['--to', 'paris'], {}, 'not to « paris »'],
  [['--to', 'bucket'], { S3_BUCKET: 'nowhere' }, 'S3_BUCKET « nowhere » does not exist'],
  [['--to', 'bucket'], { S3_SECRET_KEY: '' }, 'S3_SECRET_KEY is missing'],
])('refuses %j with %j', async (args, env, sentence) => {
  const { code, stderr } = await move(args, { ...environment, ...env })
  expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)])
  expect(stderr.trim().split('\n')).toHaveLength(1)
})

it('asks for a bucket when there is none', async () => {
  expect((await move(['--to', 'bucket'], {})).stderr).toContain('Say which bucket')
})
