import { randomBytes } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open, readdir, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import S3rver from 's3rver'
import S3Error from 's3rver/lib/models/error.js'
import S3Object from 's3rver/lib/models/object.js'
import FilesystemStore from 's3rver/lib/stores/filesystem.js'
import { openDiskStorage } from '#server/platform/storage/disk-storage.ts'
import { ignoreMissing } from '#server/platform/storage/folders.ts'
import { type Storage, StorageFull } from '#server/platform/storage/storage.ts'

interface Listing {
  prefix?: string
  startAfter?: string
  maxKeys?: number
}

/**
 * Stores objects as a bucket does: an object appears whole or not at all, is replaced under its readers, and an emptied
 * folder harms nobody. A bucket is a folder, or a link to one, whose files have the names of their keys.
 */
class FolderStore extends FilesystemStore {
  readonly #uploads: string
  readonly #disks = new Map<string, Promise<Storage>>()

  constructor(folder: string) {
    super(folder)
    this.#uploads = path.join(folder, '.uploads')
  }

  async #disk(bucket: string): Promise<Storage> {
    const folder = await realpath(this.getBucketPath(bucket))
    let disk = this.#disks.get(folder)
    if (!disk) {
      disk = openDiskStorage(folder)
      this.#disks.set(folder, disk)
    }
    return disk
  }

  async listObjects(bucket: string, { prefix = '', startAfter = '', maxKeys }: Listing) {
    const keys: string[] = []
    for await (const { key } of (await this.#disk(bucket)).list('')) {
      if (key.startsWith(prefix) && key > startAfter) keys.push(key)
    }
    keys.sort((one, other) => (one < other ? -1 : 1))
    const page = await Promise.all(
      keys.slice(0, maxKeys).map(async (key) => {
        const facts = await ignoreMissing(stat(this.#pathOf(bucket, key)))
        return facts ? [new S3Object(bucket, key, null, metadataOf(facts))] : []
      }),
    )
    return { objects: page.flat(), commonPrefixes: [], isTruncated: keys.length > (maxKeys ?? 1e9) }
  }

  async existsObject(bucket: string, key: string): Promise<boolean> {
    return (await ignoreMissing(stat(this.#pathOf(bucket, key))))?.isFile() ?? false
  }

  async getObject(bucket: string, key: string, range: { start?: number; end?: number }) {
    const file = await ignoreMissing(open(this.#pathOf(bucket, key)))
    const facts = await file?.stat()
    if (!file || !facts?.isFile()) {
      await file?.close()
      return null
    }
    const last = facts.size - 1
    const sent = { start: range.start ?? 0, end: Math.min(range.end ?? last, last) }
    const isEmpty = sent.end < sent.start
    if (isEmpty) await file.close()
    const content = isEmpty ? null : file.createReadStream({ ...sent, highWaterMark: 524_288 })
    const isWhole = range.start === undefined
    const object = new S3Object(
      bucket,
      key,
      isWhole ? (content ?? Readable.from([])) : content,
      metadataOf(facts),
    )
    return isWhole ? object : Object.assign(object, { range: sent })
  }

  async putObject({ bucket, key, content }: S3Object) {
    const disk = await this.#disk(bucket)
    try {
      const { sizeBytes } = await disk.put(key, content ?? Readable.from([]))
      return { size: sizeBytes, md5: randomBytes(16).toString('hex') }
    } catch (error) {
      throw error instanceof StorageFull ? storageFull() : error
    }
  }

  async deleteObject(bucket: string, key: string): Promise<void> {
    await (await this.#disk(bucket)).delete(key)
  }

  async initiateUpload(bucket: string, key: string, uploadId: string): Promise<void> {
    await mkdir(this.#folderOf(bucket, uploadId), { recursive: true })
    await writeFile(path.join(this.#folderOf(bucket, uploadId), 'key'), key)
  }

  async putPart(bucket: string, uploadId: string, partNumber: string, content: Readable) {
    // A retried part replaces the one that was cut; an aborted upload accepts no more.
    const part = path.join(this.#folderOf(bucket, uploadId), `${Number(partNumber)}`)
    const file = createWriteStream(part)
    await pipeline(content, file)
    return { size: file.bytesWritten, md5: randomBytes(16).toString('hex') }
  }

  async copyPart(bucket: string, uploadId: string, partNumber: string, key: string) {
    const file = await ignoreMissing(open(this.#pathOf(bucket, key)))
    if (!file) throw new S3Error('NoSuchKey', 'The specified key does not exist.')
    return this.putPart(bucket, uploadId, partNumber, file.createReadStream())
  }

  async putObjectMultipart(bucket: string, uploadId: string, parts: { number: number }[]) {
    const folder = this.#folderOf(bucket, uploadId)
    const key = await readFile(path.join(folder, 'key'), 'utf8')
    const numbers = parts.map(({ number }) => number).sort((one, other) => one - other)
    async function* joined() {
      for (const number of numbers) {
        yield* createReadStream(path.join(folder, String(number)), { highWaterMark: 524_288 })
      }
    }
    const stored = await this.putObject(new S3Object(bucket, key, Readable.from(joined()), {}))
    await rm(folder, { recursive: true })
    return stored
  }

  async abortUpload(bucket: string, uploadId: string): Promise<void> {
    await rm(this.#folderOf(bucket, uploadId), { recursive: true })
  }

  async listUploads(bucket: string): Promise<{ key: string; uploadId: string; since: Date }[]> {
    const ids = await ignoreMissing(readdir(path.join(this.#uploads, bucket)))
    return Promise.all(
      (ids ?? []).map(async (uploadId) => {
        const file = path.join(this.#folderOf(bucket, uploadId), 'key')
        return { key: await readFile(file, 'utf8'), uploadId, since: (await stat(file)).mtime }
      }),
    )
  }

  #pathOf(bucket: string, key: string): string {
    return path.join(this.getBucketPath(bucket), key)
  }

  #folderOf(bucket: string, uploadId: string): string {
    return path.join(this.#uploads, bucket, uploadId)
  }
}

function metadataOf({ size, mtime }: { size: number; mtime: Date }) {
  return {
    etag: `"${size}-${mtime.getTime()}"`,
    'last-modified': mtime.toUTCString(),
    'content-length': size,
  }
}

/** The error of MinIO. */
function storageFull(): S3Error {
  const error = new S3Error(
    'XMinioStorageFull',
    'Storage backend has reached its minimum free drive',
  )
  error.status = 507
  return error
}

type S3Call = Parameters<S3rver['middleware'][number]>[0]

const NAMESPACE = { xmlns: 'http://s3.amazonaws.com/doc/2006-03-01/' }

/** A bucket server in a process of its own, which ends with the one that started it. */
async function serve(folder: string): Promise<void> {
  const options = { address: '127.0.0.1', port: 0, silent: true, vhostBuckets: false }
  const server = new S3rver({ ...options, directory: folder })
  const store = new FolderStore(folder)
  server.store = store
  server.context.store = store
  // After what turns answers into XML, before the routes, which know neither.
  server.middleware.splice(2, 0, (call, next) => multipartUploads(store, call, next))
  const { port } = (await server.run()) as AddressInfo
  process.once('disconnect', () => process.exit())
  process.send?.({ endpoint: `http://127.0.0.1:${port}` })
}

/** The calls about unfinished uploads that s3rver does not have. */
async function multipartUploads(
  store: FolderStore,
  call: S3Call,
  next: () => Promise<void>,
): Promise<void> {
  const [, bucket = ''] = call.path.split('/')
  const { uploadId, partNumber } = call.query
  const copied = call.headers['x-amz-copy-source']
  if (call.method === 'DELETE' && uploadId) {
    await store.abortUpload(bucket, uploadId)
    call.status = 204
  } else if (call.method === 'PUT' && uploadId && partNumber && copied) {
    const [, ...key] = decodeURI(copied).split('/')
    const { md5 } = await store.copyPart(bucket, uploadId, partNumber, key.join('/'))
    call.body = { CopyPartResult: { '@': NAMESPACE, ETag: JSON.stringify(md5) } }
  } else if (call.method === 'GET' && 'uploads' in call.query) {
    const uploads = await store.listUploads(bucket)
    call.body = {
      ListMultipartUploadsResult: {
        '@': NAMESPACE,
        Bucket: bucket,
        IsTruncated: false,
        Upload: uploads.map(({ key, uploadId, since }) => ({
          Key: key,
          UploadId: uploadId,
          Initiated: since.toISOString(),
        })),
      },
    }
  } else {
    await next()
  }
}

await serve(process.argv[2] ?? '')
