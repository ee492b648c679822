import type { DetailedError, HttpRequest, HttpStack, UploadOptions } from 'tus-js-client'
import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import { CHECKED_PIECE_MAX_BYTES, UPLOADS_URL } from '#contract/uploads.ts'
import { readToken } from '#web/lib/session-token.ts'
import { abandonUpload } from './discard-upload.ts'

// A phone that changes networks may leave a transfer hanging without an error.
const STALL_MS = 60_000

/** The device is offline, or no byte has left for a while. */
class StallError extends Error {}

interface TransferOptions {
  /** The upload to resume; a new one without. */
  uploadId: string | undefined
  /** Of a new upload: the same one is begun, however often. */
  key: string
  onUploadId: (id: string) => void
  partSize: PartSize
  /** Bytes that the server has. */
  onArrived: (receivedBytes: number) => void
  /** The same with those on their way. */
  onProgress: (loadedBytes: number) => void
  signal: AbortSignal
}

/** One attempt to send the bytes that the server does not have yet; throws every failure. */
export async function transferFile(file: File, options: TransferOptions): Promise<void> {
  const { uploadId, key, onUploadId, partSize, onArrived, onProgress, signal } = options
  // Lazy: only pages that send a file load it.
  const { Upload, DefaultHttpStack } = await import('tus-js-client')
  await new Promise<void>((resolve, reject) => {
    let isStopped = false
    let method = ''
    const upload = new Upload(file, {
      ...uploadTarget(file, uploadId),
      chunkSize: partSize.bytes(),
      httpStack: createChecksumStack(new DefaultHttpStack({})),
      retryDelays: null,
      storeFingerprintForResuming: false,
      onBeforeRequest: (request) => {
        method = request.getMethod()
        request.setHeader('accept', 'application/json')
        request.setHeader('authorization', `Bearer ${readToken() ?? ''}`)
        if (method === 'POST') request.setHeader(IDEMPOTENCY_HEADER, key)
      },
      onAfterResponse: (_request, response) => {
        const offset = response.getHeader('Upload-Offset')
        if (offset && !isStopped) onArrived(Number(offset))
      },
      onUploadUrlAvailable: () => {
        method = ''
        const id = idIn(upload.url)
        if (!isStopped) return onUploadId(id)
        void upload.abort()
        if (!uploadId) void abandonUpload(id)
      },
      onChunkComplete: () => {
        partSize.grow()
        upload.options.chunkSize = partSize.bytes()
      },
      onProgress: (loadedBytes) => {
        stall.postpone()
        onProgress(loadedBytes)
      },
      onSuccess: () => end(resolve),
      onError: (error) => {
        if (method === 'PATCH' && isCut(error)) partSize.shrink()
        end(() => reject(error))
      },
    })
    const stop = (reason: Error) => {
      isStopped = true
      // An unanswered POST goes on: only its answer has the id of the upload to abandon.
      if (method !== 'POST') void upload.abort()
      if (method === 'PATCH' && reason instanceof StallError) partSize.shrink()
      end(() => reject(reason))
    }
    const stall = watchForStall(() => stop(new StallError('No byte has left for a while')))
    const onAbort = () => stop(new Error('The upload was stopped'))
    signal.addEventListener('abort', onAbort)
    const end = (settle: () => void) => {
      stall.stop()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    if (signal.aborted) onAbort()
    else upload.start()
  })
}

function uploadTarget({ name, type }: File, uploadId: string | undefined): UploadOptions {
  const endpoint = new URL(UPLOADS_URL, window.location.origin).href
  // Without an endpoint, the client never creates another upload on its own.
  if (uploadId) return { uploadUrl: `${endpoint}/${uploadId}` }
  return { endpoint, metadata: { filename: name, filetype: type } }
}

/** No answer came, or the server did not wait for the rest. */
function isCut(error: Error | DetailedError): boolean {
  const { originalResponse = null } = error as Partial<DetailedError>
  return [0, 408].includes(originalResponse?.getStatus() ?? 0)
}

function idIn(url: string | null): string {
  return url?.split('/').at(-1) ?? ''
}

function watchForStall(onStall: () => void) {
  let timer = setTimeout(onStall, STALL_MS)
  window.addEventListener('offline', onStall)
  return {
    postpone: () => {
      clearTimeout(timer)
      timer = setTimeout(onStall, STALL_MS)
    },
    stop: () => {
      clearTimeout(timer)
      window.removeEventListener('offline', onStall)
    },
  }
}

// Browser and server have a part in memory until its checksum is known.
const LARGEST_BYTES = CHECKED_PIECE_MAX_BYTES / 2
const SMALLEST_BYTES = 256 * 1024
// After so many in a row, parts grow.
const GOOD_PARTS = 3

/** How much of a file leaves at once: an interrupted part is lost whole. */
export interface PartSize {
  bytes: () => number
  /** After a part that arrived. */
  grow: () => void
  /** After one that did not. */
  shrink: () => void
}

export function createPartSize(): PartSize {
  let bytes = LARGEST_BYTES
  let good = 0
  return {
    bytes: () => bytes,
    grow: () => {
      good += 1
      if (good % GOOD_PARTS === 0) bytes = Math.min(LARGEST_BYTES, bytes * 2)
    },
    shrink: () => {
      good = 0
      bytes = Math.max(SMALLEST_BYTES, bytes / 2)
    },
  }
}

/** The file was moved or changed after it was chosen. */
export class UnreadableFile extends Error {}

/**
 * Adds the SHA-256 of its bytes to each request: the server refuses a damaged part. A page that did not come over https has no
 * digests, and goes without.
 */
function createChecksumStack(stack: HttpStack): HttpStack {
  return {
    getName: () => `${stack.getName()}+sha256`,
    createRequest: (method, url) => addChecksum(stack.createRequest(method, url)),
  }
}

function addChecksum(request: HttpRequest): HttpRequest {
  let isAborted = false
  return {
    getMethod: () => request.getMethod(),
    getURL: () => request.getURL(),
    setHeader: (header, value) => request.setHeader(header, value),
    getHeader: (header) => request.getHeader(header),
    setProgressHandler: (handler) => request.setProgressHandler(handler),
    getUnderlyingObject: () => request.getUnderlyingObject(),
    abort: () => {
      isAborted = true
      return request.abort()
    },
    send: async (body: unknown) => {
      if (!(body instanceof Blob)) return request.send(body)
      const bytes = await read(body)
      const digest = await sha256(bytes)
      if (isAborted) throw new Error('The request was aborted before it left')
      if (digest) request.setHeader('Upload-Checksum', `sha256 ${digest}`)
      return request.send(bytes)
    },
  }
}

async function read(part: Blob): Promise<ArrayBuffer> {
  try {
    return await part.arrayBuffer()
  } catch (error) {
    throw new UnreadableFile('This part of the file cannot be read', { cause: error })
  }
}

async function sha256(bytes: ArrayBuffer): Promise<string | undefined> {
  const { subtle } = crypto as { subtle?: SubtleCrypto }
  if (!subtle) return undefined
  const digest = await subtle.digest('SHA-256', bytes)
  return btoa(String.fromCharCode(...new Uint8Array(digest)))
}
