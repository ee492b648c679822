import type { DetailedError } from 'tus-js-client'
import { type ErrorCode, errorSchema } from '#contract/errors.ts'
import { ApiError } from '#web/lib/api-client.ts'
import { UnreadableFile } from './checked-requests.ts'

/**
 * `wait`: the same may go through in a moment. `gone`: the server has forgotten it. `signed-out`: nobody is signed in.
 * `refused`: it would be refused again.
 */
export interface TransferFailure {
  kind: 'wait' | 'gone' | 'signed-out' | 'refused'
  /** What a person may read. */
  sentence: string
  code?: ErrorCode | undefined
  /** Waited for as long as it takes, and told meanwhile; otherwise a few times, without a word. */
  isPatient: boolean
  /** A refusal that the same file may escape later. */
  mayRetry: boolean
}

const CONNECTION_LOST = 'Connexion perdue. L’envoi reprend dès que possible.'
const SERVER_AWAY = 'Le site est momentanément indisponible. L’envoi reprend dès que possible.'
const SIGNED_OUT = 'Votre session a expiré. Veuillez vous reconnecter.'
const UNREADABLE =
  'Ce fichier ne peut plus être lu sur cet appareil\u00A0: il a été déplacé ou modifié. Choisissez-le de nouveau.'

interface Answer {
  status: number
  statusText: string
  sentence: string
  code: ErrorCode | undefined
}

/** What to do about whatever stopped an upload. */
export function failureOf(error: unknown): TransferFailure {
  if (error instanceof ApiError) return failureOfCall(error)
  const { originalResponse, causingError } = error as Partial<DetailedError>
  if (causingError instanceof UnreadableFile) return refused(UNREADABLE)
  const status = originalResponse?.getStatus() ?? 0
  if (!originalResponse || status === 0) return wait(CONNECTION_LOST, true)
  const request = originalResponse.getUnderlyingObject() as XMLHttpRequest
  return failureOfAnswer({
    status,
    statusText: request.statusText,
    ...wordsOf(originalResponse.getBody()),
  })
}

function failureOfCall({ code, status, message }: ApiError): TransferFailure {
  switch (code) {
    case 'network':
      return wait(CONNECTION_LOST, true)
    case 'timeout':
      return wait("Timeout - l'upload a pris trop de temps", false)
    case 'invalid_response':
      return wait('Erreur de parsing de la réponse', false)
    case 'http':
      return failureOfAnswer({ status, statusText: message, sentence: '', code: undefined })
    default:
      return failureOfAnswer({ status, statusText: '', sentence: message, code })
  }
}

function failureOfAnswer({ status, statusText, sentence, code }: Answer): TransferFailure {
  const said = sentence || `Upload failed: ${status} - ${statusText}`
  switch (status) {
    case 401:
    case 403:
      return { ...refused(SIGNED_OUT, 'unauthenticated'), kind: 'signed-out' }
    case 404:
    case 410:
      return { ...refused(said, code), kind: 'gone' }
    // Elsewhere by now, damaged on its way, or another request is not over yet: asked where it is, it goes on.
    case 409:
      return code === 'too_many_uploads'
        ? { ...refused(said, code), mayRetry: true }
        : wait(said, false)
    case 423:
    case 460:
      return wait(said, false)
    case 408:
      return wait(CONNECTION_LOST, true)
    case 429:
    case 502:
    case 503:
    case 504:
      return wait(SERVER_AWAY, true)
    // What is in the way may be taken away: another file, or another's.
    case 507:
      return { ...refused(said, code), mayRetry: true }
    default:
      if (status >= 500) return wait(said, false)
      // Another file may be taken away, or the address verified.
      return {
        ...refused(said, code),
        mayRetry: code === 'quota_exceeded' || code === 'address_unverified',
      }
  }
}

function wait(sentence: string, isPatient: boolean): TransferFailure {
  return { kind: 'wait', sentence, isPatient, mayRetry: true }
}

function refused(sentence: string, code?: ErrorCode): TransferFailure {
  return { kind: 'refused', sentence, code, isPatient: false, mayRetry: false }
}

function wordsOf(body: string): Pick<Answer, 'sentence' | 'code'> {
  try {
    const { error, code } = errorSchema.parse(JSON.parse(body))
    return { sentence: error, code: code as ErrorCode }
  } catch {
    return { sentence: '', code: undefined }
  }
}
