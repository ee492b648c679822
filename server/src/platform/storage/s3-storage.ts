import { randomBytes } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  AbortMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { regroup } from './regroup.ts'
import { createS3Client, type S3Facts } from './s3-client.ts'
import {
  asStorageFull,
  isMissing,
  isRefusal,
  isUnsatisfiableRange,
  startErrorOf,
} from './s3-errors.ts'
import {
  type ByteRange,
  isStorageKey,
  ObjectMissing,
  READ_SIZE,
  requireStorageKey,
  type Storage,
} from './storage.ts'

// The smallest part there may be, twice in flight: an upload holds about 25 MiB while it lasts.
const PART_SIZE = 5 * 1024 * 1024
const PARTS_AT_ONCE = 2
/** Where `check` writes: never listed. */
const CHECKS = '-checks/'
// Longer than any transfer may last.
const ABANDONED_AFTER_MS = 24 * 60 * 60 * 1000

/** Files in a bucket of any S3-compatible server; several processes may share it. */
export async function openS3Storage(facts: S3Facts): Promise<Storage> {
  const client = createS3Client(facts)
  const { bucket: Bucket } = facts
  try {
    await abortAbandonedUploads(client, Bucket)
  } catch (error) {
    if (!isRefusal(error)) throw startErrorOf(error, facts)
  }

  function nameOf(key: string): { Bucket: string; Key: string } {
    requireStorageKey(key)
    return { Bucket, Key: key }
  }

  async function put(key: string, bytes: Readable): Promise<{ sizeBytes: number }> {
    const upload = new Upload({
      client,
      params: { ...nameOf(key), Body: bytes },
      partSize: PART_SIZE,
      queueSize: PARTS_AT_ONCE,
    })
    let sizeBytes = 0
    upload.on('httpUploadProgress', ({ loaded = 0 }) => {
      sizeBytes = loaded
    })
    // Said rather than what giving up the parts may fail with.
    let sourceError: Error | undefined
    bytes.once('error', (error) => {
      sourceError = error
    })
    try {
      await upload.done()
    } catch (error) {
      bytes.destroy()
      throw sourceError ?? asStorageFull(error)
    }
    return { sizeBytes }
  }

  async function get(key: string, range?: ByteRange): Promise<Readable> {
    const name = nameOf(key)
    if (range && !(range.start >= 0 && range.start <= range.end)) {
      throw new RangeError(`Bytes ${range.start} to ${range.end} are no range`)
    }
    const wanted = range ? { Range: `bytes=${range.start}-${range.end}` } : {}
    try {
      return piecesOf(await client.send(new GetObjectCommand({ ...name, ...wanted })), range)
    } catch (error) {
      if (isMissing(error)) throw new ObjectMissing(`There is no object ${key}`, { cause: error })
      if (!isUnsatisfiableRange(error)) throw error
      throw new RangeError(`Bytes from ${range?.start} are not inside ${key}`, { cause: error })
    }
  }

  async function size(key: string): Promise<number | undefined> {
    try {
      return (await client.send(new HeadObjectCommand(nameOf(key)))).ContentLength
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async function remove(key: string): Promise<void> {
    try {
      await client.send(new DeleteObjectCommand(nameOf(key)))
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }

  async function* list(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }> {
    if (prefix !== '') requireStorageKey(prefix.replace(/\/$/, ''))
    for await (const page of paginateListObjectsV2({ client }, { Bucket, Prefix: prefix })) {
      for (const { Key = '', LastModified } of page.Contents ?? []) {
        // What is not ours may lie in the bucket too.
        if (!isStorageKey(Key) || Key.startsWith(CHECKS) || !LastModified) continue
        yield { key: Key, modifiedAt: LastModified }
      }
    }
  }

  async function check(): Promise<void> {
    const key = `${CHECKS}${randomBytes(9).toString('hex')}`
    try {
      await put(key, Readable.from([Buffer.from('check')]))
      await buffer(await get(key))
      await remove(key)
    } catch (error) {
      throw startErrorOf(error, facts)
    }
  }

  return { put, get, size, delete: remove, list, check }
}

/** The body of an answer; a server that gives other bytes than those asked for is not believed. */
function piecesOf({ Body, ContentRange }: GetObjectCommandOutput, range?: ByteRange): Readable {
  const body = Body as Readable
  if (range && !ContentRange?.startsWith(`bytes ${range.start}-`)) {
    body.destroy()
    throw new Error(`Bytes from ${range.start} were asked for, and « ${ContentRange} » answered`)
  }
  // An error, or a reader who leaves, reaches both.
  return pipeline(body, regroup(READ_SIZE), () => undefined)
}

/** What a killed process was writing is kept, and paid for, until somebody gives it up. */
async function abortAbandonedUploads(client: S3Client, Bucket: string): Promise<void> {
  const before = Date.now() - ABANDONED_AFTER_MS
  for await (const { Key, UploadId, Initiated } of listUploads(client, Bucket)) {
    if (!Initiated || Initiated.getTime() > before || !isStorageKey(Key ?? '')) continue
    await client.send(new AbortMultipartUploadCommand({ Bucket, Key, UploadId }))
  }
}

async function* listUploads(client: S3Client, Bucket: string): AsyncGenerator<MultipartUpload> {
  let KeyMarker: string | undefined
  let UploadIdMarker: string | undefined
  for (;;) {
    const after = KeyMarker === undefined ? {} : { KeyMarker, UploadIdMarker }
    const page = await client.send(new ListMultipartUploadsCommand({ Bucket, ...after }))
    yield* page.Uploads ?? []
    const { NextKeyMarker, NextUploadIdMarker } = page
    // A server that knows no markers would give the same page for ever.
    const isSamePage = NextKeyMarker === KeyMarker && NextUploadIdMarker === UploadIdMarker
    if (!page.IsTruncated || !NextKeyMarker || isSamePage) return
    KeyMarker = NextKeyMarker
    UploadIdMarker = NextUploadIdMarker
  }
}
