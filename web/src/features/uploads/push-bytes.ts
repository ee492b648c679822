import type { DetailedError, UploadOptions } from 'tus-js-client'
import { UPLOADS_URL } from '#contract/uploads.ts'
import { readToken } from '#web/lib/session-token.ts'
import { abandonUpload } from './abandon-upload.ts'
import { checkedRequests } from './checked-requests.ts'
import type { PartSize } from './part-size.ts'

// A phone that changes networks may leave a transfer hanging without a word.
const STALL_MS = 60_000

/** Nothing leaves any more: the device says it is offline, or the network has fallen silent. */
class Silence extends Error {}

interface PushOptions {
  /** Goes on with this one, from where the server says it is; a new one without. */
  uploadId: string | undefined
  onUploadId: (id: string) => void
  partSize: PartSize
  /** Bytes the server says it has. */
  onArrived: (receivedBytes: number) => void
  /** The same, and those on their way. */
  onProgress: (loadedBytes: number) => void
  signal: AbortSignal
}

/** Sends what the server does not have of a file yet, once: whatever goes wrong is thrown. */
export async function pushBytes(file: File, options: PushOptions): Promise<void> {
  const { uploadId, onUploadId, partSize, onArrived, onProgress, signal } = options
  // Only whoever sends a file pays for it.
  const { Upload, DefaultHttpStack } = await import('tus-js-client')
  await new Promise<void>((resolve, reject) => {
    let isGivenUp = false
    let underWay = ''
    const upload = new Upload(file, {
      ...whereTo(file, uploadId),
      chunkSize: partSize.bytes(),
      httpStack: checkedRequests(new DefaultHttpStack({})),
      retryDelays: null,
      storeFingerprintForResuming: false,
      onBeforeRequest: (request) => {
        underWay = request.getMethod()
        request.setHeader('accept', 'application/json')
        request.setHeader('authorization', `Bearer ${readToken() ?? ''}`)
      },
      onAfterResponse: (_request, response) => {
        const offset = response.getHeader('Upload-Offset')
        if (offset && !isGivenUp) onArrived(Number(offset))
      },
      onUploadUrlAvailable: () => {
        underWay = ''
        const id = idIn(upload.url)
        if (!isGivenUp) return onUploadId(id)
        void upload.abort()
        if (!uploadId) void abandonUpload(id)
      },
      onChunkComplete: () => {
        partSize.grow()
        upload.options.chunkSize = partSize.bytes()
      },
      onProgress: (loadedBytes) => {
        silence.putOff()
        onProgress(loadedBytes)
      },
      onSuccess: () => end(resolve),
      onError: (error) => {
        if (underWay === 'PATCH' && isCut(error)) partSize.shrink()
        end(() => reject(error))
      },
    })
    const giveUp = (reason: Error) => {
      isGivenUp = true
      // The server may have begun already: only its answer tells what is to be taken back.
      if (underWay !== 'POST') void upload.abort()
      if (underWay === 'PATCH' && reason instanceof Silence) partSize.shrink()
      end(() => reject(reason))
    }
    const silence = watchSilence(() => giveUp(new Silence('Nothing leaves any more')))
    const onAbort = () => giveUp(new Error('The upload was stopped'))
    signal.addEventListener('abort', onAbort)
    const end = (settle: () => void) => {
      silence.stop()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    if (signal.aborted) onAbort()
    else upload.start()
  })
}

function whereTo({ name, type }: File, uploadId: string | undefined): UploadOptions {
  const door = new URL(UPLOADS_URL, window.location.origin).href
  // Without an endpoint, the client never begins anew on its own.
  if (uploadId) return { uploadUrl: `${door}/${uploadId}` }
  return { endpoint: door, metadata: { filename: name, filetype: type } }
}

/** No answer came, or the server would not wait for the rest. */
function isCut(error: Error | DetailedError): boolean {
  const { originalResponse = null } = error as Partial<DetailedError>
  return [0, 408].includes(originalResponse?.getStatus() ?? 0)
}

function idIn(url: string | null): string {
  return url?.split('/').at(-1) ?? ''
}

function watchSilence(onSilence: () => void) {
  let timer = setTimeout(onSilence, STALL_MS)
  window.addEventListener('offline', onSilence)
  return {
    putOff: () => {
      clearTimeout(timer)
      timer = setTimeout(onSilence, STALL_MS)
    },
    stop: () => {
      clearTimeout(timer)
      window.removeEventListener('offline', onSilence)
    },
  }
}
