import {
  type LetterVersion,
  type NamedNote,
  nameOfFile,
  nameOfLetter,
  nameOfNote,
  nameOfOriginal,
  nameOfReply,
  nameOfVoice,
  ReadingRight,
} from './grant-reading.ts'

export type { LetterVersion, ReadingRight }

/** Throws unless the right covers this version of a letter: a bug of the caller, never a person’s mistake. */
export function requireLetterRight(right: ReadingRight, version: LetterVersion): void {
  requireRight(right, nameOfLetter(version))
}

/** Throws unless the right covers the key of this file. */
export function requireFileRight(right: ReadingRight, fileId: string): void {
  requireRight(right, nameOfFile(fileId))
}

/** Whether the right covers this file as it was sent: of a picture, its author's alone does. */
export function coversOriginal(right: ReadingRight | undefined, fileId: string): boolean {
  return ReadingRight.isFor(right, nameOfOriginal(fileId))
}

/** Throws unless the right covers the description of this voice message. */
export function requireVoiceRight(right: ReadingRight, voiceId: string): void {
  requireRight(right, nameOfVoice(voiceId))
}

/** Throws unless the right covers the words of this reply. */
export function requireReplyRight(right: ReadingRight, replyId: string): void {
  requireRight(right, nameOfReply(replyId))
}

/** Throws unless the right covers this note of a mail. */
export function requireNoteRight(right: ReadingRight, note: NamedNote): void {
  requireRight(right, nameOfNote(note))
}

/** One right to all that these cover, and to nothing more. */
export function mergeRights(rights: readonly ReadingRight[]): ReadingRight {
  return ReadingRight.merge(rights)
}

function requireRight(right: ReadingRight, name: string): void {
  // The type alone could be claimed by a cast.
  if (!ReadingRight.isFor(right, name)) {
    throw new Error(`This right to read was not granted for ${name}`)
  }
}
