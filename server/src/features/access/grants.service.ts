import { NOTE_KINDS, type NoteKind } from '#contract/sealing.ts'
import { grantReading } from '#server/platform/sealing/grant-reading.ts'
import type { LetterVersion, ReadingRight } from '#server/platform/sealing/reading-right.ts'
import {
  canPlay,
  canPreview,
  canPreviewByLink,
  canRead,
  canReadDescription,
  canReadReply,
  isRevealed,
  type ReplyRelation,
  type ViewerRelation,
  type VoiceRelation,
} from './access.rules.ts'
import { type EnvelopeRow, filesOf, type LetterFiles } from './envelopes.rules.ts'

// Every reason to open something sealed is one function here or in operator-grants.service.ts. The right that one answers
// names the letters, files and voice messages of its arguments, and opens nothing else.

/**
 * The reader: a viewer whom the gate lets read this version of the letter at this instant, or nobody. Of its pictures the
 * author alone may have the originals.
 */
export function grantReader(
  relation: ViewerRelation,
  envelope: EnvelopeRow,
  now: Date,
): ReadingRight | undefined {
  if (!canRead(relation, envelope, now)) return undefined
  return relation.isAuthor ? grantOwnLetters([envelope]) : grantLetters([envelope])
}

function areOwn(author: { userId: string }, letters: readonly { authorId: string }[]): boolean {
  return letters.every(({ authorId }) => authorId === author.userId)
}

/** The author, who reads their own letters whatever the instant; none when one of them is somebody else's. */
export function grantAuthor(
  author: { userId: string },
  letters: readonly (LetterVersion & LetterFiles & { authorId: string })[],
): ReadingRight | undefined {
  return areOwn(author, letters) ? grantOwnLetters(letters) : undefined
}

/** The author, who searches in the words of their own letters; none when one of them is somebody else's. */
export function grantAuthorTexts(
  author: { userId: string },
  letters: readonly (LetterVersion & { authorId: string })[],
): ReadingRight | undefined {
  return areOwn(author, letters) ? grantReading({ letters }) : undefined
}

/** The author, who reads the notes that they wrote for mails; none when one of the letters is somebody else's. */
export function grantAuthorNotes(
  author: { userId: string },
  letters: readonly { id: string; authorId: string }[],
): ReadingRight | undefined {
  if (!areOwn(author, letters)) return undefined
  return grantReading({
    notes: letters.flatMap(({ id: revelationId }) =>
      NOTE_KINDS.map((kind) => ({ revelationId, kind })),
    ),
  })
}

/** A mail to an addressee, which carries the note for its announcement, or for its opening once the instant has come. */
export function grantMailNote(
  kind: NoteKind,
  letter: { revelationId: string; revealAt: Date },
  now: Date,
): ReadingRight | undefined {
  const mayLeave = kind === 'announcement' || isRevealed(letter, now)
  return mayLeave
    ? grantReading({ notes: [{ revelationId: letter.revelationId, kind }] })
    : undefined
}

/** The index of the search, which finds words in revealed letters, and in no other. */
export function grantIndexer(
  letters: readonly (LetterVersion & { revealAt: Date })[],
  now: Date,
): ReadingRight {
  return grantReading({ letters: letters.filter((letter) => isRevealed(letter, now)) })
}

/** The sender of a file, who may see what they sent. */
export function grantPreview(
  userId: string | undefined,
  file: { id: string; ownerId: string | null },
): ReadingRight | undefined {
  return canPreview(userId, file) ? grantSent(file) : undefined
}

/** The bearer of a personal link, who may have the voice that they sent by it. */
export function grantLinkPreview(
  keyHolder: { deliveryId: string } | undefined,
  file: { id: string; deliveryId: string | null },
): ReadingRight | undefined {
  return canPreviewByLink(keyHolder, file) ? grantSent(file) : undefined
}

function grantSent({ id }: { id: string }): ReadingRight {
  return grantReading({ fileIds: [id], originalIds: [id] })
}

interface Reply {
  id: string
  mediaId: string | null
  hiddenAt: Date | null
}

/** Whoever may read a private reply: the author of its letter, or the addressee who wrote it. */
export function grantReply(
  relation: ReplyRelation,
  reply: Reply,
  envelope: EnvelopeRow,
  now: Date,
): ReadingRight | undefined {
  return canReadReply(relation, reply, envelope, now) ? grantReplies([reply]) : undefined
}

/** An account that takes with it what it wrote, and what its letters received; none when one of them is neither. */
export function grantOwnReplies(
  account: { userId: string },
  replies: readonly (Reply & { writerId: string | null; authorId: string })[],
): ReadingRight | undefined {
  const areOwn = replies.every(
    ({ writerId, authorId, hiddenAt }) =>
      writerId === account.userId || (authorId === account.userId && hiddenAt === null),
  )
  return areOwn ? grantReplies(replies) : undefined
}

/** The operator, to whom its reader shows the words of a reply by reporting it; its voice stays closed. */
export function grantReported(
  report: { target: string; targetId: string },
  reply: { id: string },
): ReadingRight | undefined {
  const isReported = report.target === 'reply' && report.targetId === reply.id
  return isReported ? grantReading({ replyIds: [reply.id] }) : undefined
}

function grantReplies(replies: readonly Reply[]): ReadingRight {
  return grantReading({
    replyIds: replies.map(({ id }) => id),
    fileIds: replies.flatMap(({ mediaId }) => mediaId ?? []),
  })
}

interface Voice {
  id: string
  mediaId: string
  isShared: boolean
  revealAt: Date
}

/** The listener: somebody who may play the voice message at this instant, or nobody. */
export function grantListener(
  relation: VoiceRelation,
  voice: Voice,
  now: Date,
): ReadingRight | undefined {
  if (!canPlay(relation, voice, now)) return undefined
  return grantReading({ voiceIds: [voice.id], fileIds: [voice.mediaId] })
}

/** The reader of a voice message's description: before the instant its author alone, who cannot play it then. */
export function grantDescription(
  relation: VoiceRelation,
  voice: Voice,
  now: Date,
): ReadingRight | undefined {
  return canReadDescription(relation, voice, now)
    ? grantReading({ voiceIds: [voice.id] })
    : undefined
}

function grantOwnLetters(letters: readonly (LetterVersion & LetterFiles)[]): ReadingRight {
  const fileIds = letters.flatMap(filesOf)
  return grantReading({ letters, fileIds, originalIds: fileIds })
}

function grantLetters(letters: readonly (LetterVersion & LetterFiles)[]): ReadingRight {
  return grantReading({ letters, fileIds: letters.flatMap(filesOf) })
}
