import { isOpen } from '#contract/revelation-facts.ts'
import type { Revelation } from '#contract/revelations.ts'
import { type LazyPart, lazyPart } from '#web/lib/lazy-part.tsx'

// What only some revelations show, or some readers: its code comes with them.

export const HiddenRevelation = lazyPart(
  () => import('./hidden-revelation.tsx'),
  'HiddenRevelation',
)
export const RevokedLink = lazyPart(() => import('./revoked-link.tsx'), 'RevokedLink')
export const SealedMedia = lazyPart(
  () => import('#web/features/revelations/sealed-media.tsx'),
  'SealedMedia',
)
export const LetterFile = lazyPart(
  () => import('#web/features/revelations/letter-file.tsx'),
  'LetterFile',
)
export const AuthorRecord = lazyPart(() => import('./author-record.tsx'), 'AuthorRecord')
export const PredictionPanel = lazyPart(
  () => import('#web/features/predictions/prediction-panel.tsx'),
  'PredictionPanel',
)
export const SealPanel = lazyPart(() => import('#web/features/proofs/seal-panel.tsx'), 'SealPanel')
export const OwnNotes = lazyPart(() => import('./own-notes.tsx'), 'OwnNotes')

/** Those that a visitor sees first. */
export function partsOf(revelation: Revelation | undefined): Pick<LazyPart, 'fetch'>[] {
  if (!revelation) return [HiddenRevelation]
  const { file_type, visibility } = revelation
  const isPublic = visibility === 'public'
  const isLetter = isOpen(revelation)
  return [
    SealPanel,
    ...(file_type ? [isLetter ? LetterFile : SealedMedia] : []),
    ...(isPublic ? [AuthorRecord] : []),
    ...(isPublic && isLetter && revelation.prediction ? [PredictionPanel] : []),
  ]
}
