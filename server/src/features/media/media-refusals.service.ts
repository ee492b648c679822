import { ERRORS } from '#contract/errors.ts'
import { ACCEPTED_FILES } from '#contract/media.ts'
import { AppError } from '#server/errors.ts'
import { FORM_OVERHEAD_BYTES } from './media-uploads.rules.ts'

const MB = 1024 * 1024

/** Names the size when it is known (behaviour.md 13.2). */
export function tooLarge(declaredBytes: number | undefined): AppError {
  if (declaredBytes === undefined) return new AppError('file_too_large')
  const megabytes = Math.max(601, Math.round((declaredBytes + FORM_OVERHEAD_BYTES) / MB))
  const message = `Fichier trop volumineux (${megabytes} MB). Maximum autorisé: 600MB`
  return new AppError('file_too_large', { message })
}

export function imageTooHeavy(maxBytes: number): AppError {
  const message = `Cette image est trop lourde. Taille maximum: ${Math.floor(maxBytes / MB)}MB`
  return new AppError('file_too_large', { message })
}

function unsupportedType(type: string): AppError {
  return new AppError('unsupported_type', { message: `Type de fichier non autorisé: ${type}` })
}

/** The file is one we take, and not where it was asked for: it may be asked for elsewhere. */
export class OtherFolder extends AppError {
  constructor(type: string) {
    const { message } = unsupportedType(type)
    super('unsupported_type', { message })
  }
}

/** Bytes of no type we take. The type the browser gave is named, unless it is one they belie. */
export function unknownType(declaredType: string): AppError {
  const clean = declaredType.replaceAll(/[^\w.+/-]/g, '').slice(0, 100)
  const isBelied = clean === '' || ACCEPTED_FILES.split(',').includes(clean)
  return unsupportedType(isBelied ? 'contenu inconnu' : clean)
}

interface Room {
  roomBytes: number
  /** Of uploads that are not finished. */
  heldBytes?: number
  /** Whether a verified address would give more. */
  awaitsVerification?: boolean
}

/** Says what is left and what to do. */
export function overQuota({ roomBytes, heldBytes = 0, awaitsVerification }: Room): AppError {
  const left = sizeInWords(Math.max(0, roomBytes))
  if (awaitsVerification) {
    const { message } = ERRORS.address_unverified
    return new AppError('address_unverified', {
      message: `Ce fichier dépasse l’espace qui vous reste (${left}). ${message}`,
    })
  }
  const wayOut =
    heldBytes > 0
      ? 'Terminez ou abandonnez un envoi en attente, supprimez un fichier ou changez de plan.'
      : 'Supprimez un fichier ou changez de plan.'
  const message = `Ce fichier dépasse l’espace qui vous reste (${left}). ${wayOut}`
  return new AppError('quota_exceeded', { message })
}

/** « 98,4 Mo », never more than there is. */
function sizeInWords(bytes: number): string {
  const [size, unit] = bytes < 1024 * MB ? [bytes / MB, 'Mo'] : [bytes / MB / 1024, 'Go']
  return `${(Math.floor(size * 10) / 10).toLocaleString('fr')}\u00A0${unit}`
}

export function noFreeSlot(): AppError {
  return new AppError('too_many_requests', {
    message: 'Deux envois sont déjà en cours. Attendez la fin de l’un d’eux.',
    retryAfterSeconds: 10,
  })
}

/** Nothing is wrong with the file: the same may be sent again. */
export class Interrupted extends AppError {
  constructor() {
    super('invalid_file', { message: 'L’envoi du fichier a été interrompu' })
  }
}

/** Says how long it is and may be. */
export function tooLong(
  seconds: number,
  { longestMediaSeconds, planName }: { longestMediaSeconds: number; planName: string },
): AppError {
  const message = `Ce fichier dure ${hoursInWords(seconds)}, et le plan ${planName} accepte jusqu’à ${hoursInWords(longestMediaSeconds)} par fichier. Raccourcissez-le ou changez de plan.`
  return new AppError('media_too_long', { message })
}

/** « 2 h 05 », rounded up: what is too long by a second is not told by the limit. */
function hoursInWords(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  const rest = minutes % 60
  const hours = `${Math.floor(minutes / 60)}\u00A0h`
  return rest === 0 ? hours : `${hours}\u00A0${String(rest).padStart(2, '0')}`
}

const REFUSALS_OF_FILES = ['invalid_file', 'unsupported_type', 'file_too_large', 'media_too_long']

/** Whether these bytes will never be taken, however often they are sent. */
export function isRefusalOfFile(error: unknown): boolean {
  return (
    error instanceof AppError &&
    !(error instanceof Interrupted || error instanceof OtherFolder) &&
    REFUSALS_OF_FILES.includes(error.code)
  )
}
