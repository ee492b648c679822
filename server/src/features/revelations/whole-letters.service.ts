import type { Stationery } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import { albumOf, type EnvelopeRow, filesOf } from '#server/features/access/envelopes.rules.ts'
import { grantAuthor } from '#server/features/access/grants.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  type DownloadableFile,
  findDownloadableFiles,
} from '#server/features/media/file-views.service.ts'
import { getOwnNotes, type Notes } from '#server/features/notes/notes.service.ts'
import { listPages } from '#server/platform/database/db.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { openTexts } from './letters.service.ts'
import { listEnvelopesBy } from './revelations.repository.ts'
import { PLAIN_STATIONERY } from './stationery.service.ts'

const PAGE = 50

/** A file of a letter: as it was sent, or the copy of a picture that readers get. */
export interface WholeFile {
  mediaId: string
  /** Undefined when its key is damaged. */
  file: DownloadableFile | undefined
  caption: string | null
}

/** A revelation with its letter and its files. */
export interface WholeLetter {
  envelope: EnvelopeRow
  /** Undefined when it is damaged, or was sealed again meanwhile. */
  content: string | undefined
  /** In their author’s order. */
  files: readonly WholeFile[]
  /** What is said in the first: captions or words. */
  fileWords: string | null
  /** The voice of its seal, as the file; its words are null without any. */
  sealVoice: { file: DownloadableFile | undefined; words: string | null } | undefined
  stationery: Stationery
}

/** All that the actor sealed, the oldest first, a page at a time. */
export async function* readOwnLetters(
  ctx: AppContext,
  actor: Actor,
): AsyncGenerator<(WholeLetter & { notes: Notes })[]> {
  const pages = listPages<EnvelopeRow>(PAGE, (after, limit) =>
    listEnvelopesBy(ctx.db, actor.userId, after, limit),
  )
  for await (const envelopes of pages) {
    const right = grantAuthor(actor, envelopes)
    // The query selects nothing else; the grant decides all the same.
    if (!right) throw new Error('A letter of somebody else is among one’s own')
    const [letters, notesOf] = await Promise.all([
      openWhole(ctx, right, envelopes),
      getOwnNotes(ctx, actor, envelopes),
    ])
    yield letters.map((letter) => ({ ...letter, notes: notesOf(letter.envelope.id) }))
  }
}

/** Letters with their files. The right covers each. */
export async function openWhole(
  ctx: AppContext,
  right: ReadingRight,
  envelopes: readonly EnvelopeRow[],
): Promise<WholeLetter[]> {
  const [texts, originals] = await Promise.all([
    openTexts(ctx, right, envelopes),
    findDownloadableFiles(ctx, right, envelopes.flatMap(filesOf)),
  ])
  return envelopes.map((envelope) => {
    const { id, sealVoiceId } = envelope
    const text = texts.get(id)
    return {
      envelope,
      content: text?.content,
      files: albumOf(envelope).map((mediaId, at) => ({
        mediaId,
        file: originals.get(mediaId),
        caption: text?.files[at]?.caption ?? null,
      })),
      fileWords: text?.fileWords ?? null,
      sealVoice: sealVoiceId
        ? { file: originals.get(sealVoiceId), words: text?.voiceWords ?? null }
        : undefined,
      stationery: text?.stationery ?? PLAIN_STATIONERY,
    }
  })
}

/** Whether a picture of it is not the one that was sealed, but what its readers get. */
export function hasCopies({ files }: WholeLetter): boolean {
  return files.some(({ file }) => file?.isSealed === false)
}

/** Everything that was sent with a letter, in the order of its archives: its files, then the voice of its seal. */
export function filesToArchive({
  envelope: { sealVoiceId },
  files,
  sealVoice,
}: WholeLetter): WholeFile[] {
  if (sealVoiceId === null) return [...files]
  return [...files, { mediaId: sealVoiceId, file: sealVoice?.file, caption: null }]
}
