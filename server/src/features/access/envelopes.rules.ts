import type { Kind } from '#contract/kinds.ts'
import type { Outcome } from '#contract/predictions.ts'
import type { Category, FileType, Visibility } from '#contract/revelations.ts'

/** The outcome its author declared, and how others voted. */
export interface PredictionFacts {
  outcome: Outcome | null
  outcomeSource: string | null
  outcomeDeclaredAt: Date | null
  outcomeChangedAt: Date | null
  formerOutcome: Outcome | null
  votesFulfilled: number
  votesPartly: number
  votesFailed: number
  votesUndecidable: number
}

/** The files of a letter, each with a key of its own. */
export interface LetterFiles {
  /** The first of its files, or the only one. */
  mediaId: string | null
  /** All of them in their author’s order, where there are several. How many they are is for readers alone. */
  albumIds: readonly string[] | null
  /** The voice that plays as the seal breaks (behaviour.md 4.7). */
  sealVoiceId: string | null
}

/** What goes with the text, in its author’s order. */
export function albumOf({ mediaId, albumIds }: Omit<LetterFiles, 'sealVoiceId'>): string[] {
  if (albumIds) return [...albumIds]
  return mediaId === null ? [] : [mediaId]
}

/** The same, and the voice of the seal. */
export function filesOf({ sealVoiceId, ...files }: LetterFiles): string[] {
  return sealVoiceId === null ? albumOf(files) : [...albumOf(files), sealVoiceId]
}

/** Somebody a revelation is for. */
export interface Recipient {
  deliveryId: string
  address: string
  /** By which addresses are compared. */
  addressKey: string
  /** As its author calls them. */
  name: string | null
  /** Whether the author chose to notify them before the instant. */
  isNotified: boolean
}

/** What can be seen of a sealed revelation. The letter is not here: its ciphertext has a type and a query of its own. */
export interface EnvelopeRow extends PredictionFacts, LetterFiles {
  id: string
  authorId: string
  authorPseudo: string
  authorAvatar: string | null
  title: string
  kind: Kind
  category: Category
  visibility: Visibility
  /** Since when everybody may see it without a break; null when not everybody may, or when nobody can tell. */
  publicSince: Date | null
  /** Whether it counts in its author’s record (behaviour.md 8.3): what was sealed as a public prediction, and waited. */
  recordState: 'counted' | 'unattested' | 'none'
  /** The first one first. */
  recipients: readonly Recipient[]
  recipientsSeeEachOther: boolean
  revealAt: Date
  timeZone: string
  fileType: FileType | null
  teaserStart: number | null
  teaserEnd: number | null
  version: number
  commitment: Buffer
  reactionsCount: number
  commentsCount: number
  viewsCount: number
  createdAt: Date
  updatedAt: Date
  hiddenAt: Date | null
}
