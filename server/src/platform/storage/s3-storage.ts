import { randomBytes } from 'node:crypto'
import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import { pipeline, Readable, Transform } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type MultipartUpload,
  paginateListObjectsV2,
  S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import {
  asStorageFull,
  isMissing,
  isRefusal,
  isUnsatisfiableRange,
  isUnsupported,
  startErrorOf,
} from './s3-errors.ts'
import {
  type ByteRange,
  isStorageKey,
  ObjectMissing,
  READ_SIZE,
  readParts,
  requireStorageKey,
  type Storage,
  type StoredPart,
} from './storage.ts'

// The smallest size that S3 allows, twice in flight: an upload uses about 25 MiB of memory.
const PART_SIZE = 5 * 1024 * 1024
const PARTS_AT_ONCE = 2
/** The prefix of the objects of `check`, which are never listed. */
const CHECKS = '-checks/'
// No transfer lasts as long.
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
    // Reported instead of a failure of the abort.
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

  let copiesParts = true

  async function compose(key: string, parts: readonly StoredPart[]): Promise<void> {
    if (copiesParts && parts.slice(0, -1).every(({ sizeBytes }) => sizeBytes >= PART_SIZE)) {
      try {
        return await composeByCopies(key, parts)
      } catch (error) {
        // Some servers copy no part, and others want parts of one size: what they hold is sent again. Whether an object is
        // missing, or the bucket full, is told by that.
        if (isUnsupported(error)) copiesParts = false
      }
    }
    await put(key, readParts({ get }, parts))
  }

  /** Copies parts within the bucket, each of which but the last has the smallest size that S3 allows. */
  async function composeByCopies(key: string, parts: readonly StoredPart[]): Promise<void> {
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(nameOf(key)))
    const upload = { ...nameOf(key), UploadId }
    try {
      const Parts: CompletedPart[] = []
      for (const { storageKey } of parts) {
        const PartNumber = Parts.length + 1
        const CopySource = `${Bucket}/${nameOf(storageKey).Key}`
        const copy = new UploadPartCopyCommand({ ...upload, PartNumber, CopySource })
        const { ETag } = (await client.send(copy)).CopyPartResult ?? {}
        if (!ETag) throw new Error('The server of the bucket copied nothing')
        Parts.push({ PartNumber, ETag })
      }
      await client.send(
        new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } }),
      )
    } catch (error) {
      await client.send(new AbortMultipartUploadCommand(upload)).catch(() => undefined)
      throw error
    }
  }

  async function get(key: string, range?: ByteRange): Promise<Readable> {
    const name = nameOf(key)
    if (range && !(range.start >= 0 && range.start <= range.end)) {
      throw new RangeError(`Bytes ${range.start} to ${range.end} are no range`)
    }
    const rangeHeader = range ? { Range: `bytes=${range.start}-${range.end}` } : {}
    try {
      return piecesOf(await client.send(new GetObjectCommand({ ...name, ...rangeHeader })), range)
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
        // The bucket may contain objects of other programs.
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

  return { put, compose, get, size, delete: remove, list, check }
}

/** The body of an answer; throws for a server that sends other bytes than the range. */
function piecesOf({ Body, ContentRange }: GetObjectCommandOutput, range?: ByteRange): Readable {
  const body = Body as Readable
  if (range && !ContentRange?.startsWith(`bytes ${range.start}-`)) {
    body.destroy()
    throw new Error(`Bytes from ${range.start} were asked for, and « ${ContentRange} » answered`)
  }
  // An error, and the end of the reader, reach both streams.
  return pipeline(body, regroup(READ_SIZE), () => undefined)
}

/** Aborts the uploads of killed processes, which the bucket would store, and charge, for ever. */
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
    // A server without markers would return the same page for ever.
    const isSamePage = NextKeyMarker === KeyMarker && NextUploadIdMarker === UploadIdMarker
    if (!page.IsTruncated || !NextKeyMarker || isSamePage) return
    KeyMarker = NextKeyMarker
    UploadIdMarker = NextUploadIdMarker
  }
}

export interface S3Facts {
  /** Undefined for Amazon's own. */
  endpoint: string | undefined
  bucket: string
  region: string
  accessKey: string
  secretKey: string
}

// A slow viewer of a film occupies a socket: there must be enough for uploads.
const AGENT = { keepAlive: true, maxSockets: 512 }

/** All options are explicit: the AWS configuration of this machine does not count. */
function createS3Client({ endpoint, region, accessKey, secretKey }: S3Facts): S3Client {
  return new S3Client({
    ...(endpoint ? { endpoint } : {}),
    region,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    forcePathStyle: true,
    // Many servers lack the newer checksums; the signature of each body contains its hash anyway.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // It would open another connection for each part.
    expectContinueHeader: false,
    maxAttempts: 3,
    requestHandler: {
      httpAgent: new HttpAgent(AGENT),
      httpsAgent: new HttpsAgent(AGENT),
      connectionTimeout: 5_000,
      // Until the answer starts: one part on a slow line, or the merge of all parts.
      requestTimeout: 120_000,
      throwOnRequestTimeout: true,
      // Without a byte: the page of a paused film reads nothing for a while.
      socketTimeout: 600_000,
    },
  })
}

/** Pieces of any size in, pieces of `size` bytes out, each with memory for itself. */
function regroup(size: number): Transform {
  let piece = Buffer.alloc(0)
  let filled = 0
  return new Transform({
    readableHighWaterMark: size,
    transform(bytes: Buffer, _encoding, done) {
      for (let offset = 0; offset < bytes.length; ) {
        if (filled === 0) piece = Buffer.allocUnsafeSlow(size)
        const count = bytes.copy(piece, filled, offset)
        offset += count
        filled += count
        if (filled === size) {
          this.push(piece)
          filled = 0
        }
      }
      done()
    },
    flush(done) {
      done(null, filled > 0 ? piece.subarray(0, filled) : null)
    },
  })
}
