import { HttpResponse, http, type RequestHandler } from 'msw'
import { ERRORS, type ErrorCode } from '#contract/errors.ts'
import { IDEMPOTENCY_HEADER } from '#contract/idempotency.ts'
import type { UploadResult } from '#contract/media.ts'
import { finishUpload, listUploads, UPLOADS_URL } from '#contract/uploads.ts'
import { answer } from './fake-api.ts'
import { anUpload } from './samples.ts'

/** What the server has of one upload. */
interface Received {
  id: string
  name: string
  size: number
  bytes: Uint8Array
}

type Trouble = (request: {
  request: Request
  bytes: Uint8Array
  upload: Received
}) => Response | undefined

const door = `${window.location.origin}${UPLOADS_URL}`

/** The server's part of resumable uploads: it keeps what it is sent, and can be made to fail. */
export function uploadDoor(
  result: Partial<UploadResult> | ((upload: { name: string }) => Partial<UploadResult>) = {},
) {
  const uploads = new Map<string, Received>()
  const begun = new Map<string, string>()
  const finished: string[] = []
  const names = new Map<string, string>()
  const abandoned: string[] = []
  const offsets: number[] = []
  const folders: unknown[] = []
  const received: string[] = []
  const tokens = new Set<string | null>()
  const troubles: Trouble[] = []
  let refused: ErrorCode | undefined
  let isAnswerLost = false
  let answers = Promise.resolve()

  const handlers: RequestHandler[] = [
    answer(listUploads, () => ({ uploads: [...uploads.values()].map(listed) })),
    http.post(door, async ({ request }) => {
      if (refused) return refuse(refused)
      const key = request.headers.get(IDEMPOTENCY_HEADER) ?? ''
      const id = begun.get(key) ?? crypto.randomUUID()
      begun.set(key, id)
      if (!uploads.has(id)) {
        uploads.set(id, { id, ...announced(request), bytes: new Uint8Array() })
      }
      if (isAnswerLost) {
        isAnswerLost = false
        return HttpResponse.error()
      }
      tokens.add(request.headers.get('authorization'))
      await answers
      return new HttpResponse(null, { status: 201, headers: { location: `${UPLOADS_URL}/${id}` } })
    }),
    http.head(`${door}/:id`, ({ params }) => {
      const upload = uploads.get(String(params.id))
      if (!upload) return new HttpResponse(null, { status: 404 })
      return new HttpResponse(null, { headers: offsetOf(upload) })
    }),
    http.patch(`${door}/:id`, async ({ params, request }) => {
      const upload = uploads.get(String(params.id))
      if (!upload) return refuse('not_found')
      offsets.push(Number(request.headers.get('upload-offset')))
      const bytes = new Uint8Array(await request.arrayBuffer())
      const trouble = troubles.shift()?.({ request, bytes, upload })
      if (trouble) return trouble
      if (Number(request.headers.get('upload-offset')) !== upload.bytes.length) {
        return refuse('upload_moved_on')
      }
      if (request.headers.get('upload-checksum') !== (await checksum(bytes))) {
        return refuse('upload_altered')
      }
      receive(upload, bytes)
      return new HttpResponse(null, { status: 204, headers: offsetOf(upload) })
    }),
    http.delete(`${door}/:id`, ({ params }) => {
      abandoned.push(String(params.id))
      uploads.delete(String(params.id))
      return new HttpResponse(null, { status: 204 })
    }),
    http.post(`${door}/:id/file`, async ({ params, request }) => {
      const id = String(params.id)
      const upload = uploads.get(id)
      if (!upload && !finished.includes(id)) return refuse('not_found')
      if (upload && upload.bytes.length < upload.size) return refuse('upload_incomplete')
      const { folder } = (await request.json()) as { folder?: string }
      folders.push(folder)
      if (upload) names.set(id, upload.name)
      if (upload) received.push(new TextDecoder().decode(upload.bytes))
      uploads.delete(id)
      finished.push(id)
      const [status] = Object.keys(finishUpload.schema.response)
      const made = typeof result === 'function' ? result({ name: names.get(id) ?? '' }) : result
      return HttpResponse.json(anUpload(made), { status: Number(status) })
    }),
  ]
  return {
    handlers,
    uploads,
    finished,
    abandoned,
    /** Where each part that was sent began. */
    offsets,
    folders,
    /** The files that arrived whole, as text. */
    received,
    tokens,
    /** What happens to the next parts instead, in order. */
    next: (...more: Trouble[]) => troubles.push(...more),
    /** Uploads are begun, but whoever asked hears of it only once this is called. */
    answerLater: () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      answers = promise
      return resolve
    },
    /** The next upload is begun, and its answer lost. */
    loseAnswer: () => {
      isAnswerLost = true
    },
    /** From now on no upload is begun, for this reason; none again without. */
    refuse: (code?: ErrorCode) => {
      refused = code
    },
  }
}

/** The network goes away when so many bytes have arrived. */
export function cutAfter(count: number): Trouble {
  return ({ bytes, upload }) => {
    receive(upload, bytes.subarray(0, count))
    return HttpResponse.error()
  }
}

export function refuseWith(code: ErrorCode): Trouble {
  return () => refuse(code)
}

function receive(upload: Received, bytes: Uint8Array): void {
  const all = new Uint8Array(upload.bytes.length + bytes.length)
  all.set(upload.bytes)
  all.set(bytes, upload.bytes.length)
  upload.bytes = all
}

function refuse(code: ErrorCode): Response {
  const { status, message } = ERRORS[code]
  return HttpResponse.json({ error: message, code }, { status })
}

function announced({ headers }: Request): Pick<Received, 'name' | 'size'> {
  const pairs = (headers.get('upload-metadata') ?? '').split(',').map((pair) => pair.split(' '))
  const encoded = Object.fromEntries(pairs).filename ?? ''
  const bytes = Uint8Array.from(atob(encoded), (letter) => letter.charCodeAt(0))
  return { name: new TextDecoder().decode(bytes), size: Number(headers.get('upload-length')) }
}

function offsetOf({ bytes, size }: Received): Record<string, string> {
  return { 'upload-offset': String(bytes.length), 'upload-length': String(size) }
}

function listed({ id, name, size, bytes }: Received) {
  const expires_at = new Date(Date.now() + 86_400_000).toISOString()
  return { id, name, size, received: bytes.length, expires_at }
}

async function checksum(bytes: Uint8Array): Promise<string> {
  const sum = await crypto.subtle.digest('SHA-256', bytes as BufferSource)
  return `sha256 ${btoa(String.fromCharCode(...new Uint8Array(sum)))}`
}
