import { errorSchema } from '#contract/errors.ts'
import {
  type Folder,
  UPLOAD_TIMEOUT_MS,
  type UploadResult,
  uploadFile as uploadEndpoint,
  uploadResultSchema,
} from '#contract/media.ts'
import { endSession } from '#web/lib/api-client.ts'
import { readToken } from '#web/lib/session-token.ts'
import { tooLargeSentence } from './file-facts.ts'

export interface UploadFields {
  folder: Folder
  teaserStart?: number
  teaserEnd?: number
  revelationId?: string
}

export interface UploadOptions {
  onProgress?: (loadedBytes: number) => void
  signal?: AbortSignal
  /** The personal key of whoever sends it without an account. */
  headers?: Record<string, string>
}

export type UploadOutcome =
  | { state: 'sent'; result: UploadResult }
  /** `mayRetry`: the same file may succeed later. */
  | { state: 'failed'; error: string; mayRetry: boolean }
  | { state: 'cancelled' }

/** Sends a file in one request, as a form. Never rejects: the outcome has a message for people. */
export function uploadFile(
  file: File,
  fields: UploadFields,
  { onProgress, signal, headers = {} }: UploadOptions = {},
): Promise<UploadOutcome> {
  return new Promise((resolve) => {
    // fetch has no progress of what has left.
    const request = new XMLHttpRequest()
    request.open(uploadEndpoint.method, uploadEndpoint.url)
    request.timeout = UPLOAD_TIMEOUT_MS
    request.setRequestHeader('accept', 'application/json')
    const token = readToken()
    if (token) request.setRequestHeader('authorization', `Bearer ${token}`)
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded }) => onProgress?.(Math.min(loaded, file.size))
    request.onload = () => resolve(readAnswer(request, file, token))
    request.onerror = () => resolve(retryable("Erreur réseau lors de l'upload"))
    request.ontimeout = () => resolve(retryable("Timeout - l'upload a pris trop de temps"))
    request.onabort = () => resolve({ state: 'cancelled' })
    signal?.addEventListener('abort', () => request.abort(), { once: true })
    if (signal?.aborted) resolve({ state: 'cancelled' })
    else request.send(formOf(file, fields))
  })
}

function retryable(error: string): UploadOutcome {
  return { state: 'failed', error, mayRetry: true }
}

function refused(error: string): UploadOutcome {
  return { state: 'failed', error, mayRetry: false }
}

/** The fields go before the file: the server reads them first. */
function formOf(file: File, { folder, teaserStart, teaserEnd, revelationId }: UploadFields) {
  const form = new FormData()
  form.append('folder', folder)
  if (teaserStart !== undefined && teaserEnd !== undefined) {
    form.append('teaserStart', String(teaserStart))
    form.append('teaserEnd', String(teaserEnd))
    form.append('teaserData', `${teaserStart}|${teaserEnd}`)
  }
  if (revelationId) form.append('revelationId', revelationId)
  form.append('file', file, file.name)
  return form
}

function readAnswer(
  { status, statusText, responseText }: XMLHttpRequest,
  file: File,
  token: string | null,
) {
  const body = parse(responseText)
  const isOver = status === 401 || (status === 403 && !errorSchema.safeParse(body).success)
  // Who has a personal key alone has no session that could end.
  if (isOver && token !== null) {
    endSession(token)
    return refused('Votre session a expiré. Veuillez vous reconnecter.')
  }
  if (status < 200 || status > 299) return readRefusal(status, statusText, body, file)
  const answer = uploadResultSchema.safeParse(body)
  if (!answer.success) return retryable('Erreur de parsing de la réponse')
  const { url, filename } = answer.data
  if (!url.includes(filename)) {
    return retryable('URL de fichier invalide retournée par le serveur')
  }
  return { state: 'sent', result: answer.data } as const
}

function readRefusal(status: number, statusText: string, body: unknown, file: File) {
  const known = errorSchema.safeParse(body)
  const sentence = known.success ? known.data.error : ''
  if (status === 400 && /volumineu|too large/i.test(sentence)) {
    return refused(tooLargeSentence(file.size))
  }
  const mayRetry = status === 429 || status >= 500
  const error = sentence || `Upload failed: ${status} - ${statusText}`
  return { state: 'failed', error, mayRetry } as const
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
