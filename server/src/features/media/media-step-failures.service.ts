import {
  TooManyPixels,
  TooMuchWork,
  UnreadableMedia,
} from '#server/platform/media-tools/media-errors.ts'

const STEP_GAVE_UP = 'Cette préparation n’a pas abouti'

/** Whether the bytes themselves are at fault: the file is then of no use. */
export function isUnreadable(error: unknown): boolean {
  return error instanceof UnreadableMedia || error instanceof TooManyPixels
}

/** Whether another try would only end the same: it waits for its author to ask. */
export function isForGood(error: unknown): boolean {
  return isUnreadable(error) || error instanceof TooMuchWork
}

/** What the author reads beside the step. */
export function sentenceOf(error?: unknown): string {
  if (isUnreadable(error)) return 'Ce fichier est abîmé ou illisible'
  if (error instanceof TooMuchWork) return 'Préparer ce fichier demande trop de travail'
  return STEP_GAVE_UP
}
