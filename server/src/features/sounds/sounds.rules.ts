import type { PersonTie } from '#server/features/relationships/relationships.rules.ts'
import { isRevealed } from '#server/features/revelations/revelations.rules.ts'

/** How a viewer stands to one sound. */
export interface SoundTie {
  isAuthor: boolean
  /** Of a private one; a shared one has none. */
  isRecipient: boolean
  /** To its author. */
  relationship: PersonTie | undefined
}

export const AS_AUTHOR: SoundTie = {
  isAuthor: true,
  isRecipient: false,
  relationship: undefined,
}

interface SealedSound {
  isShared: boolean
  revealAt: Date
}

/** Whether the viewer may see that it exists (behaviour.md 2.8). A tie that ended, or a block, closes it again. */
export function mayKnowOfSound(tie: SoundTie, sound: Pick<SealedSound, 'isShared'>): boolean {
  if (tie.isAuthor) return true
  if (sound.isShared) return tie.relationship === 'family'
  return tie.isRecipient && isOfCircle(tie.relationship)
}

/** Whether the viewer may listen to it: nobody before its instant, its author included. */
export function mayHear(tie: SoundTie, sound: SealedSound, now: Date): boolean {
  return isRevealed(sound, now) && mayKnowOfSound(tie, sound)
}

/** Whether the viewer may be told what goes with it: what it is about, the name, size, type and length of its file. */
export function mayReadAbout(tie: SoundTie, sound: SealedSound, now: Date): boolean {
  return tie.isAuthor || mayHear(tie, sound, now)
}

/** Whom a private sound may be for. */
export function isOfCircle(relationship: PersonTie | undefined): boolean {
  return relationship === 'family' || relationship === 'friend'
}
