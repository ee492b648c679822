import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  request,
  type Server,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { SEALED_CHUNK_SIZE } from '#server/platform/sealing/sealed-format.ts'
import { StartError } from '#server/platform/start-error.ts'
import { mountSmallDisk } from '#testing/machine.ts'
import { type S3Server, startS3Server } from '#testing/s3-server.ts'
import { openS3Storage, type S3Facts } from './s3-storage.ts'
import { testStorageContract } from './storage.contract.ts'
import { StorageFull } from './storage.ts'

const MB = 1024 * 1024

let server: S3Server
let folder: string
let buckets = 0

beforeAll(async () => {
  server = await startS3Server()
  folder = await mkdtemp(join(tmpdir(), 's3-storage-'))
})
afterAll(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

function newBucket(directory?: string): S3Facts {
  buckets += 1
  const bucket = `bucket-${buckets}`
  server.addBucket(bucket, directory ?? join(folder, bucket))
  const { endpoint } = server
  return { endpoint, bucket, region: 'us-east-1', accessKey: 'S3RVER', secretKey: 'S3RVER' }
}

/** Pieces of 1 MiB, the last of which may be followed by a failure. */
function film(megabytes: number, failure?: Error): Readable {
  async function* pieces() {
    for (let sent = 0; sent < megabytes; sent += 1) yield Buffer.alloc(MB, sent)
    if (failure) throw failure
  }
  return Readable.from(pieces())
}

/** What the server still keeps of uploads that are not finished. */
async function partsOf({ bucket }: S3Facts): Promise<string[]> {
  return readdir(join(server.buckets, '.uploads', bucket)).catch(() => [])
}

testStorageContract('A bucket', async () => openS3Storage(newBucket()))

it('stores in parts what is larger than one, and gives it back in whole sealed chunks', async () => {
  const facts = newBucket()
  const storage = await openS3Storage(facts)
  const bytes = randomBytes(12 * MB + 345)

  await storage.put('film', Readable.from([bytes.subarray(0, 7 * MB), bytes.subarray(7 * MB)]))

  expect(await storage.size('film')).toBe(bytes.length)
  const pieces: Buffer[] = await (await storage.get('film')).toArray()
  expect(Buffer.concat(pieces).equals(bytes)).toBe(true)
  for (const piece of pieces.slice(0, -1)) expect(piece.length).toBe(8 * SEALED_CHUNK_SIZE)
  expect(await partsOf(facts)).toEqual([])
})

it('gives the first byte alone when it is asked for', async () => {
  const storage = await openS3Storage(newBucket())
  await storage.put('film', film(1))

  expect(await buffer(await storage.get('film', { start: 0, end: 0 }))).toHaveLength(1)
})

describe('composes within the bucket, or sends what the server', () => {
  const notImplemented = '<Error><Code>NotImplemented</Code></Error>'
  const invalidPart = '<Error><Code>InvalidPart</Code></Error>'

  it.each<[string, boolean, (incoming: IncomingMessage) => [number, string] | undefined]>([
    ['copies', false, () => undefined],
    [
      'does not copy',
      true,
      ({ headers }) => (headers['x-amz-copy-source'] ? [501, notImplemented] : undefined),
    ],
    [
      'says to have copied, without a word on what',
      true,
      ({ headers }) => (headers['x-amz-copy-source'] ? [200, '<CopyPartResult/>'] : undefined),
    ],
    [
      'wants in parts of one size',
      true,
      (incoming) => {
        if (!isCompletion(incoming) || hasRefused) return undefined
        hasRefused = true
        return [400, invalidPart]
      },
    ],
  ])('%s', async (_what, isSent, refusal) => {
    hasRefused = false
    const facts = newBucket()
    const storage = await openS3Storage(facts)
    const bytes = randomBytes(12 * MB)
    await storage.put('one', Readable.from([bytes.subarray(0, 6 * MB)]))
    await storage.put('two', Readable.from([bytes.subarray(6 * MB)]))
    let sentBytes = 0
    const proxy = createServer((incoming, response) => {
      const refused = refusal(incoming)
      if (refused) {
        response.writeHead(refused[0]).end(refused[1])
        return
      }
      const { method, url, headers } = incoming
      const outgoing = request(server.endpoint + url, { method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      })
      incoming.on('data', (piece: Buffer) => {
        sentBytes += piece.length
      })
      incoming.pipe(outgoing)
    })
    const behind = await openS3Storage({ ...facts, endpoint: await listening(proxy) })
    const parts = ['one', 'two'].map((storageKey) => ({ storageKey, sizeBytes: 6 * MB }))

    await behind.compose('whole', parts)

    expect((await buffer(await storage.get('whole'))).equals(bytes)).toBe(true)
    expect(sentBytes > 12 * MB).toBe(isSent)
    expect(await partsOf(facts)).toEqual([])
  })

  let hasRefused = false
  function isCompletion({ method, url }: IncomingMessage): boolean {
    return method === 'POST' && !!url?.includes('uploadId=')
  }
})

it('leaves no part of what fails on its way', async () => {
  const facts = newBucket()
  const storage = await openS3Storage(facts)

  const stored = storage.put('film', film(17, new Error('the client has left')))

  await expect(stored).rejects.toThrow('the client has left')
  expect(await partsOf(facts)).toEqual([])
  expect(await storage.size('film')).toBeUndefined()
})

it('says that a full bucket is full, and leaves nothing of what did not fit', async (context) => {
  const small = await mountSmallDisk(context)
  const facts = newBucket(small)
  const storage = await openS3Storage(facts)
  await storage.put('small', Readable.from([Buffer.alloc(100_000)]))

  for (const megabytes of [4, 20]) {
    const source = film(megabytes)
    await expect(storage.put('large', source)).rejects.toThrow(StorageFull)
    expect(source.destroyed).toBe(true)
  }

  expect(await storage.size('large')).toBeUndefined()
  expect(await partsOf(facts)).toEqual([])
  await storage.put('large', Readable.from([Buffer.alloc(1_500_000)]))
  expect(await storage.size('small')).toBe(100_000)
})

it('gives up when it opens what a killed process was writing a day ago, and nothing younger', async () => {
  const facts = newBucket()
  for (const [upload, hours] of Object.entries({ old: 25, young: 1 })) {
    const part = join(server.buckets, '.uploads', facts.bucket, upload)
    await mkdir(part, { recursive: true })
    await writeFile(join(part, 'key'), 'media/ab/film')
    const since = new Date(Date.now() - hours * 3_600_000)
    await utimes(join(part, 'key'), since, since)
  }

  await openS3Storage(facts)

  expect(await partsOf(facts)).toEqual(['young'])
})

it('gives up what was abandoned on every page of it', async () => {
  const aborted: string[] = []
  const endpoint = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://bucket')
    if (request.method === 'DELETE') {
      aborted.push(`${pathname.split('/').slice(2).join('/')} ${searchParams.get('uploadId')}`)
      response.writeHead(204).end()
      return
    }
    const marker = searchParams.get('upload-id-marker')
    const page = marker === null ? 1 : Number(marker) + 1
    response.end(`<ListMultipartUploadsResult>
      <IsTruncated>${page < 3}</IsTruncated>
      <NextKeyMarker>media/ab/film</NextKeyMarker><NextUploadIdMarker>${page}</NextUploadIdMarker>
      <Upload><Key>media/ab/film</Key><UploadId>${page}</UploadId>
        <Initiated>2026-01-01T00:00:00.000Z</Initiated></Upload>
    </ListMultipartUploadsResult>`)
  })

  await openS3Storage({ ...newBucket(), endpoint: await listening(endpoint) })

  expect(aborted).toEqual([1, 2, 3].map((page) => `media/ab/film ${page}`))
})

it('lists more than one page, and nothing that is not its own', async () => {
  const directory = join(folder, 'many')
  const storage = await openS3Storage(newBucket(directory))
  await storage.put('media/one', Readable.from([]))
  const names = Array.from({ length: 2_300 }, (_, n) => `n${n}`)
  await Promise.all(names.map((name) => writeFile(join(directory, 'media', name), '')))
  await writeFile(join(directory, 'media', 'photos de vacances.jpg'), '')

  const keys: string[] = []
  for await (const { key } of storage.list('media/')) keys.push(key)

  expect(keys.sort()).toEqual([...names, 'one'].map((name) => `media/${name}`).sort())
})

it('lets go of its connection when a reader leaves', async () => {
  const storage = await openS3Storage(newBucket())
  await storage.put('film', film(30))
  const openFiles = async () => (await readdir(`/proc/${server.pid}/fd`)).length
  const before = await openFiles()

  const [unread, left] = [await storage.get('film'), await storage.get('film')]
  await once(left, 'data')
  for (const reader of [unread, left]) {
    reader.destroy()
    await once(reader, 'close')
  }

  await expect.poll(openFiles).toBeLessThanOrEqual(before)
})

it('fails a reader whose bytes stop coming', async () => {
  const cut = await answering((_request, response) => {
    response.writeHead(200, { 'content-length': 1_000_000 })
    response.write(Buffer.alloc(100_000), () => response.destroy())
  })
  const storage = await openS3Storage({ ...newBucket(), endpoint: cut })

  await expect(buffer(await storage.get('film'))).rejects.toThrow()
})

it('does not believe a server that answers other bytes than those asked for', async () => {
  const deaf = await answering((_request, response) => response.end('everything'))
  const storage = await openS3Storage({ ...newBucket(), endpoint: deaf })

  await expect(storage.get('film', { start: 5, end: 6 })).rejects.toThrow('were asked for')
})

/** An endpoint that opens, and then answers every object its own way. */
async function answering(answer: RequestListener): Promise<string> {
  const endpoint = createServer((request, response) => {
    if (request.url?.includes('?uploads')) response.writeHead(501).end()
    else answer(request, response)
  })
  return listening(endpoint)
}

async function listening(endpoint: Server): Promise<string> {
  endpoint.listen(0, '127.0.0.1')
  await once(endpoint, 'listening')
  onTestFinished(() => {
    endpoint.close()
    endpoint.closeAllConnections()
  })
  return `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}`
}

describe('says in one sentence, without a secret, that', () => {
  async function refusalOf(facts: S3Facts): Promise<string> {
    const error = await openS3Storage(facts)
      .then((storage) => storage.check())
      .catch((one) => one)
    expect(error).toBeInstanceOf(StartError)
    expect(error.message).not.toContain(facts.secretKey)
    return error.message
  }

  it('the bucket does not exist', async () => {
    const facts = { ...newBucket(), bucket: 'nowhere' }
    expect(await refusalOf(facts)).toBe(
      `S3_BUCKET « nowhere » does not exist at ${server.endpoint}: make it first.`,
    )
  })

  it('the keys are wrong', async () => {
    const facts = { ...newBucket(), accessKey: 'SOMEBODY', secretKey: 'a secret' }
    expect(await refusalOf(facts)).toMatch(/^S3_ACCESS_KEY and S3_SECRET_KEY are refused by http/)
  })

  it('nobody answers', async () => {
    const endpoint = 'http://127.0.0.1:9'
    expect(await refusalOf({ ...newBucket(), endpoint })).toBe(
      `S3_ENDPOINT « ${endpoint} » cannot be reached (ECONNREFUSED).`,
    )
  })

  it('the keys may not do everything that is needed', async () => {
    const endpoint = await answering((_request, response) => {
      response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>')
    })
    expect(await refusalOf({ ...newBucket(), endpoint })).toContain(
      'S3_ACCESS_KEY may not list, read, write and delete in the bucket',
    )
  })
})

it('checks without a trace in what the bucket keeps', async () => {
  const facts = newBucket()
  await (await openS3Storage(facts)).check()

  const files = await readdir(join(folder, facts.bucket), { recursive: true, withFileTypes: true })
  expect(files.filter((file) => file.isFile())).toEqual([])
})

it('grows by less than 120 MB while it stores and reads what is larger', async () => {
  const storage = await openS3Storage(newBucket())
  await storage.put('warm', film(12))
  globalThis.gc?.()
  const before = process.memoryUsage.rss()
  const peak = await watchPeak(async () => {
    await storage.put('film', film(200))
    for await (const piece of await storage.get('film')) expect(piece.length).toBeGreaterThan(0)
  })

  expect((peak - before) / MB).toBeLessThan(120)
})

async function watchPeak(work: () => Promise<void>): Promise<number> {
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 10)
  await work()
  clearInterval(watch)
  return peak
}
