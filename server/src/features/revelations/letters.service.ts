import type { FileType, Stationery } from '#contract/revelations.ts'
import type { AppContext } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import { albumOf, type EnvelopeRow, filesOf } from '#server/features/access/envelopes.rules.ts'
import { type LetterMedia, letterMedia } from '#server/features/media/file-views.service.ts'
import { commitmentTo } from '#server/features/proofs/fields.rules.ts'
import { type CommittedFacts, commitmentOf } from '#server/platform/sealing/commitment.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import {
  type LetterVersion,
  type ReadingRight,
  requireLetterRight,
} from '#server/platform/sealing/reading-right.ts'
import { SealBroken } from '#server/platform/sealing/sealed-format.ts'
import { openText, sealText } from '#server/platform/sealing/sealed-text.ts'
import {
  commitFields,
  type LetterDraft,
  matchesEnvelope,
  openForReaders,
  type SealedFile,
  type SealedSalts,
} from './letter-fields.service.ts'
import {
  type CommittedRow,
  type LetterParts,
  readSealedContents,
  readSealedLetters,
  type SealedContent,
  type SealedLetter,
} from './revelations.repository.ts'
import { refuseFileWords } from './revelations.rules.ts'
import { openStationery, PLAIN_STATIONERY, sealStationery } from './stationery.service.ts'

/** A file of a letter, with its author’s words for it. */
export type CaptionedMedia = LetterMedia & { caption: string | null }

/** The text of a letter and the ready-to-use links to its files. */
export interface Letter {
  content: string
  /** The first of its files, or the only one. */
  file: LetterMedia | null
  /** All of them, in their author’s order. */
  files: readonly CaptionedMedia[]
  /** What is said in the first file: captions or words. */
  fileWords: string | null
  /** The voice that plays as the seal breaks. */
  sealVoice: { url: string; words: string | null } | null
  stationery: Stationery
}

function subjectOf(revelationId: string): string {
  return `revelation:${revelationId}`
}

/** What is sealed with a letter and is no part of its commitment. */
export interface LetterTrim {
  /** What stands for the sound of the file to those who cannot hear it. */
  fileWords: string | null
  /** The same for the voice of the seal. */
  voiceWords: string | null
  stationery: Stationery
}

const NO_TRIM: LetterTrim = { fileWords: null, voiceWords: null, stationery: PLAIN_STATIONERY }

/**
 * Seals a letter under a new data key, each field of its commitment with a fresh salt: the columns of its row, and what a
 * viewer of the envelope is told of its seal.
 */
export function sealLetter(ctx: AppContext, draft: LetterDraft, trim: LetterTrim = NO_TRIM) {
  const { dataKey, wrapped } = ctx.keyring.createDataKey(subjectOf(draft.id))
  const { open, disclosed, salts } = commitFields(draft)
  const opening: StoredOpening = {
    format: 2,
    salts: {
      content: salts.content.toString('base64url'),
      files: salts.files.toString('base64url'),
    },
    files: draft.files.map(({ sha256 }) => ({ sha256: sha256.toString('base64url') })),
  }
  const row = {
    wrappedKey: wrapped,
    sealedContent: sealText(dataKey, 'content', draft.content),
    sealedOpening: sealText(dataKey, 'opening', JSON.stringify(opening)),
    sealedCaptions: sealCaptions(dataKey, draft.files),
    ...sealTrimUnder(dataKey, trim),
    commitment: commitmentTo(open),
  }
  return { row, fields: disclosed }
}

/** Null without any, as most letters are. */
function sealCaptions(key: DataKey, files: readonly SealedFile[]): Buffer | null {
  const captions = files.map(({ caption }) => caption)
  if (captions.every((caption) => caption === null)) return null
  return sealText(key, 'captions', JSON.stringify(captions))
}

function sealTrimUnder(key: DataKey, { fileWords, voiceWords, stationery }: LetterTrim) {
  const seal = (field: string, words: string | null) =>
    words === null ? null : sealText(key, field, words)
  return {
    sealedFileWords: seal('file_words', fileWords),
    sealedVoiceWords: seal('voice_words', voiceWords),
    sealedStationery: sealStationery(key, stationery),
  }
}

/** Another trim for a letter, under the key that this version has already. */
export async function sealTrim(
  ctx: AppContext,
  right: ReadingRight,
  version: LetterVersion,
  trim: LetterTrim,
) {
  const [sealed] = await readCovered(right, [version], (ids) => readWithoutFileWords(ctx, ids))
  if (!sealed) throw new Error(`No letter in revelation ${version.id}`)
  return sealTrimUnder(keyOf(ctx, sealed), trim)
}

interface OpenedText extends LetterTrim {
  content: string
  files: readonly SealedFile[]
}

/**
 * Opens the text of letters, each covered by the right in this very version: one that was sealed again since, perhaps for
 * a later instant, stays closed and is left out.
 */
export async function openTexts(
  ctx: AppContext,
  right: ReadingRight,
  versions: readonly LetterVersion[],
  parts: LetterParts = { withFileWords: true },
): Promise<Map<string, OpenedText>> {
  const letters = await readCovered(right, versions, (ids) => readSealedLetters(ctx.db, ids, parts))
  return new Map(
    letters.flatMap((sealed) => {
      const text = openLetter(ctx, sealed)
      return text ? [[sealed.id, text]] : []
    }),
  )
}

/** What `read` finds of these versions; throws where the right does not name one of them. */
async function readCovered<Sealed extends SealedContent>(
  right: ReadingRight,
  versions: readonly LetterVersion[],
  read: (ids: readonly string[]) => Promise<Sealed[]>,
): Promise<Sealed[]> {
  for (const version of versions) requireLetterRight(right, version)
  const allowed = new Map(versions.map(({ id, commitment }) => [id, commitment]))
  const letters = await read([...allowed.keys()])
  return letters.filter(({ id, commitment }) => allowed.get(id)?.equals(commitment))
}

function readWithoutFileWords(ctx: AppContext, ids: readonly string[]): Promise<SealedLetter[]> {
  return readSealedLetters(ctx.db, ids, { withFileWords: false })
}

function openLetter(ctx: AppContext, sealed: SealedLetter): OpenedText | undefined {
  return unlessBroken(ctx, sealed, () => {
    const key = keyOf(ctx, sealed)
    return {
      content: openContent(key, sealed),
      files: openOpening(key, sealed).files,
      ...openTrim(key, sealed),
    }
  })
}

/** Undefined for a damaged letter: the other letters of its page still open. */
function unlessBroken<T>(ctx: AppContext, { id }: SealedContent, open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    ctx.log.error({ revelationId: id, err: error }, 'a letter can no longer be opened')
    return undefined
  }
}

function keyOf(ctx: AppContext, { id, wrappedKey }: SealedContent): DataKey {
  return ctx.keyring.openDataKey(subjectOf(id), wrappedKey)
}

function openContent(key: DataKey, { sealedContent }: SealedContent): string {
  return openText(key, 'content', sealedContent)
}

function openTrim(key: DataKey, sealed: SealedLetter): LetterTrim {
  const { sealedFileWords, sealedVoiceWords } = sealed
  return {
    fileWords: sealedFileWords && openText(key, 'file_words', sealedFileWords),
    voiceWords: sealedVoiceWords && openText(key, 'voice_words', sealedVoiceWords),
    stationery: openStationery(key, sealed.sealedStationery),
  }
}

/**
 * As it is sealed with the letter. Format 1 has one salt and no mark of its own, and format 2 named one file at first; the
 * words of files are sealed beside it.
 */
type StoredOpening =
  | { format?: undefined; salt: string; fileSha256: string | null }
  | ({ format: 2; salts: { content: string; files: string } } & (
      | { fileSha256: string | null; files?: undefined }
      | { files: readonly { sha256: string }[] }
    ))

/** The parts of a commitment that not everybody may see, in the format of that version. */
type Opening = { files: readonly SealedFile[] } & (
  | { format: 1; salt: Buffer }
  | { format: 2; salts: SealedSalts }
)

function openOpening(
  key: DataKey,
  { sealedOpening, sealedCaptions }: Pick<SealedLetter, 'sealedOpening' | 'sealedCaptions'>,
): Opening {
  const stored = JSON.parse(openText(key, 'opening', sealedOpening)) as StoredOpening
  const bytes = (text: string) => Buffer.from(text, 'base64url')
  const captions: readonly (string | null)[] = sealedCaptions
    ? JSON.parse(openText(key, 'captions', sealedCaptions))
    : []
  const files = hashesIn(stored).map((sha256, at) => ({
    sha256: bytes(sha256),
    caption: captions[at] ?? null,
  }))
  if (stored.format === undefined) return { format: 1, salt: bytes(stored.salt), files }
  const { content, files: ofFiles } = stored.salts
  return { format: 2, salts: { content: bytes(content), files: bytes(ofFiles) }, files }
}

function hashesIn(stored: StoredOpening): string[] {
  if ('files' in stored && stored.files) return stored.files.map(({ sha256 }) => sha256)
  return 'fileSha256' in stored && stored.fileSha256 !== null ? [stored.fileSha256] : []
}

/** Whether a letter opens as what was committed to, with as many files. Throws `SealBroken` when it, or its trim, does not open. */
export function isAsCommitted(ctx: AppContext, right: ReadingRight, sealed: CommittedRow): boolean {
  requireLetterRight(right, sealed)
  const key = keyOf(ctx, sealed)
  const opening = openOpening(key, sealed)
  const content = openContent(key, sealed)
  openTrim(key, sealed)
  const { commitment, fields } = sealed
  if (opening.files.length !== albumOf(sealed).length) return false
  if (opening.format === 1) {
    const { id, authorId, title, revealAt } = sealed
    const fileSha256 = opening.files[0]?.sha256
    const facts: CommittedFacts = { id, authorId, title, content, revealAt, fileSha256 }
    return commitmentOf(opening.salt, facts).equals(commitment)
  }
  if (!fields || !matchesEnvelope(fields, sealed)) return false
  return commitmentTo(openForReaders(fields, { content, ...opening })).equals(commitment)
}

/** What a commitment is about that only readers see, and what opens it. */
export type OpenedCommitment = { content: string } & Opening

/** What opens the commitment of each version; without those that are damaged, or whose place another version took. */
export async function openCommitted(
  ctx: AppContext,
  right: ReadingRight,
  versions: readonly LetterVersion[],
): Promise<Map<string, OpenedCommitment>> {
  const letters = await readCovered(right, versions, (ids) => readWithoutFileWords(ctx, ids))
  return new Map(
    letters.flatMap((sealed) => {
      const opened = unlessBroken(ctx, sealed, () => {
        const key = keyOf(ctx, sealed)
        return { content: openContent(key, sealed), ...openOpening(key, sealed) }
      })
      return opened ? [[sealed.id, opened]] : []
    }),
  )
}

/** Opens the text of letters alone, for a search; damaged ones are left out. */
export async function openContents(
  ctx: AppContext,
  right: ReadingRight,
  versions: readonly LetterVersion[],
): Promise<Map<string, string>> {
  const letters = await readCovered(right, versions, (ids) => readSealedContents(ctx.db, ids))
  return new Map(
    letters.flatMap((sealed) => {
      const content = unlessBroken(ctx, sealed, () => openContent(keyOf(ctx, sealed), sealed))
      return content === undefined ? [] : [[sealed.id, content]]
    }),
  )
}

/** Opens letters whole: the text, and links to the files that serve one ticket holder. */
export async function openLetters(
  ctx: AppContext,
  right: ReadingRight,
  holder: string,
  envelopes: readonly EnvelopeRow[],
  parts?: LetterParts,
): Promise<Map<string, Letter>> {
  const [texts, files] = await Promise.all([
    openTexts(ctx, right, envelopes, parts),
    letterMedia(ctx, right, holder, envelopes.flatMap(filesOf)),
  ])
  const letters = new Map<string, Letter>()
  for (const envelope of envelopes) {
    const text = texts.get(envelope.id)
    // Deleted or sealed again between the two queries: the version that the gate allowed is no more.
    if (text) letters.set(envelope.id, letterOf(envelope, text, files))
  }
  return letters
}

/** What a letter says, in the words that were opened or just sealed. */
type LetterTexts = LetterTrim & { content: string; files: readonly Pick<SealedFile, 'caption'>[] }

/** The letter of an envelope from its opened texts and files. */
export function letterOf(
  envelope: EnvelopeRow,
  { content, fileWords, voiceWords, stationery, ...texts }: LetterTexts,
  media: ReadonlyMap<string, LetterMedia>,
): Letter {
  const { mediaId, sealVoiceId } = envelope
  const voice = sealVoiceId && media.get(sealVoiceId)
  // AAC as soon as it is rendered: not every browser plays what another one recorded.
  const voiceUrl = voice && (voice.fileMobileUrl ?? voice.fileUrl)
  return {
    content,
    file: (mediaId && media.get(mediaId)) || null,
    files: albumOf(envelope).flatMap((id, at) => {
      const file = media.get(id)
      return file ? [{ ...file, caption: texts.files[at]?.caption ?? null }] : []
    }),
    fileWords,
    sealVoice: voiceUrl ? { url: voiceUrl, words: voiceWords } : null,
    stationery,
  }
}

/**
 * What is said in the file of a letter that is being sealed: as typed, or as it was stored. It stands for the file and goes
 * with it; refuses `file_words` by name.
 */
export function fileWordsOf(
  kind: FileType | null,
  typed: string | null | undefined,
  stored: string | null,
): string | null {
  const refusal = typed ? refuseFileWords(kind, typed) : undefined
  if (refusal) throw fieldError('file_words', refusal)
  return typed === undefined ? stored : typed || null
}
