import { UPLOAD_KEPT_MS } from '#contract/uploads.ts'

/** Where pieces are stored. */
export const PIECES_PREFIX = 'uploads/'

/** What was last touched then, or before, is forgotten now. */
export function forgottenBefore(now: Date): Date {
  return new Date(now.getTime() - UPLOAD_KEPT_MS)
}

export function expiryOf({ touchedAt }: { touchedAt: Date }): Date {
  return new Date(touchedAt.getTime() + UPLOAD_KEPT_MS)
}
