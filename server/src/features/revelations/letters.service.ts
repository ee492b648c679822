import type { AppContext } from '#server/context.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { grantAuthor } from '#server/features/access/grants.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  findOriginals,
  type LetterMedia,
  letterMedia,
  type Original,
} from '#server/features/media/file-views.service.ts'
import { listPages } from '#server/platform/database/db.ts'
import {
  type CommittedFacts,
  commitmentOf,
  createSalt,
} from '#server/platform/sealing/commitment.ts'
import type { DataKey } from '#server/platform/sealing/keyring.ts'
import {
  type LetterVersion,
  type ReadingRight,
  requireLetterRight,
} from '#server/platform/sealing/reading-right.ts'
import { SealBroken } from '#server/platform/sealing/sealed-format.ts'
import { openText, sealText } from '#server/platform/sealing/sealed-text.ts'
import { listEnvelopesBy, readSealedLetters, type SealedLetter } from './revelations.repository.ts'

/** The text of a letter and the ready-to-use links to its file. */
export interface Letter {
  content: string
  file: LetterMedia | null
}

function subjectOf(revelationId: string): string {
  return `revelation:${revelationId}`
}

/** Seals a letter under a new data key, with a fresh salt for its commitment. */
export function sealLetter(ctx: AppContext, draft: CommittedFacts) {
  const { dataKey, wrapped } = ctx.keyring.createDataKey(subjectOf(draft.id))
  const salt = createSalt()
  const opening = {
    salt: salt.toString('base64url'),
    fileSha256: draft.fileSha256?.toString('base64url') ?? null,
  }
  return {
    wrappedKey: wrapped,
    sealedContent: sealText(dataKey, 'content', draft.content),
    sealedOpening: sealText(dataKey, 'opening', JSON.stringify(opening)),
    commitment: commitmentOf(salt, draft),
  }
}

interface OpenedText {
  content: string
  fileSha256: Buffer | undefined
}

/**
 * Opens the text of letters, each covered by the right in this very version: one that was sealed again since, perhaps for
 * a later instant, stays closed and is left out.
 */
export async function openTexts(
  ctx: AppContext,
  right: ReadingRight,
  versions: readonly LetterVersion[],
): Promise<Map<string, OpenedText>> {
  const letters = await readCovered(ctx, right, versions)
  return new Map(
    letters.flatMap((sealed) => {
      const text = openLetter(ctx, sealed)
      return text ? [[sealed.id, text]] : []
    }),
  )
}

async function readCovered(
  ctx: AppContext,
  right: ReadingRight,
  versions: readonly LetterVersion[],
): Promise<SealedLetter[]> {
  for (const version of versions) requireLetterRight(right, version)
  const allowed = new Map(versions.map(({ id, commitment }) => [id, commitment]))
  const letters = await readSealedLetters(ctx.db, [...allowed.keys()])
  return letters.filter(({ id, commitment }) => allowed.get(id)?.equals(commitment))
}

function openLetter(ctx: AppContext, sealed: SealedLetter): OpenedText | undefined {
  return unlessBroken(ctx, sealed, () => {
    const key = keyOf(ctx, sealed)
    return {
      content: openContent(key, sealed),
      fileSha256: openFileSha256(key, sealed.sealedOpening),
    }
  })
}

/** Undefined for a damaged letter: the other letters of its page still open. */
function unlessBroken<T>(ctx: AppContext, { id }: SealedLetter, open: () => T): T | undefined {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    ctx.log.error({ revelationId: id, err: error }, 'a letter can no longer be opened')
    return undefined
  }
}

function keyOf(ctx: AppContext, { id, wrappedKey }: SealedLetter): DataKey {
  return ctx.keyring.openDataKey(subjectOf(id), wrappedKey)
}

function openContent(key: DataKey, { sealedContent }: SealedLetter): string {
  return openText(key, 'content', sealedContent)
}

function openFileSha256(key: DataKey, sealedOpening: Buffer): Buffer | undefined {
  return openOpening(key, sealedOpening).fileSha256
}

/** The parts of a commitment that not everybody may see. */
function openOpening(key: DataKey, sealedOpening: Buffer) {
  const { salt, fileSha256 } = JSON.parse(openText(key, 'opening', sealedOpening)) as {
    salt: string
    fileSha256: string | null
  }
  return {
    salt: Buffer.from(salt, 'base64url'),
    fileSha256: fileSha256 === null ? undefined : Buffer.from(fileSha256, 'base64url'),
  }
}

/** Whether a letter opens as what was committed to. Throws `SealBroken` when it does not open. */
export function isAsCommitted(
  ctx: AppContext,
  right: ReadingRight,
  sealed: SealedLetter & Pick<CommittedFacts, 'authorId' | 'title' | 'revealAt'>,
): boolean {
  requireLetterRight(right, sealed)
  const key = keyOf(ctx, sealed)
  const { salt, fileSha256 } = openOpening(key, sealed.sealedOpening)
  const { id, authorId, title, revealAt } = sealed
  const content = openContent(key, sealed)
  const facts = { id, authorId, title, content, revealAt, fileSha256 }
  return commitmentOf(salt, facts).equals(sealed.commitment)
}

/** What opens the commitment of a version; undefined when it is damaged, or another version took its place. */
export async function openCommitted(
  ctx: AppContext,
  right: ReadingRight,
  version: LetterVersion,
): Promise<(OpenedText & { salt: Buffer }) | undefined> {
  const [sealed] = await readCovered(ctx, right, [version])
  return (
    sealed &&
    unlessBroken(ctx, sealed, () => {
      const key = keyOf(ctx, sealed)
      return { content: openContent(key, sealed), ...openOpening(key, sealed.sealedOpening) }
    })
  )
}

/** Opens the text of letters alone, for a search; damaged ones are left out. */
export async function openContents(
  ctx: AppContext,
  right: ReadingRight,
  versions: readonly LetterVersion[],
): Promise<Map<string, string>> {
  const letters = await readCovered(ctx, right, versions)
  return new Map(
    letters.flatMap((sealed) => {
      const content = unlessBroken(ctx, sealed, () => openContent(keyOf(ctx, sealed), sealed))
      return content === undefined ? [] : [[sealed.id, content]]
    }),
  )
}

/** Opens letters whole: the text, and links to the file that serve one ticket holder. */
export async function openLetters(
  ctx: AppContext,
  right: ReadingRight,
  holder: string,
  envelopes: readonly EnvelopeRow[],
): Promise<Map<string, Letter>> {
  const mediaIds = envelopes.flatMap((envelope) => envelope.mediaId ?? [])
  const [texts, files] = await Promise.all([
    openTexts(ctx, right, envelopes),
    letterMedia(ctx, right, holder, mediaIds),
  ])
  const letters = new Map<string, Letter>()
  for (const { id, mediaId } of envelopes) {
    const text = texts.get(id)
    // Deleted or sealed again between the two queries: the version that the gate allowed is no more.
    if (!text) continue
    letters.set(id, { content: text.content, file: (mediaId && files.get(mediaId)) || null })
  }
  return letters
}

const PAGE = 50

/** One’s own revelation with its letter, whatever its instant. */
export interface OwnLetter {
  envelope: EnvelopeRow
  /** Undefined when it is damaged, or was sealed again meanwhile. */
  content: string | undefined
  /** Undefined without a file, and when its key is damaged. */
  file: Original | undefined
}

/** All that the actor sealed, the oldest first, a page at a time. */
export async function* readOwnLetters(ctx: AppContext, actor: Actor): AsyncGenerator<OwnLetter[]> {
  const pages = listPages<EnvelopeRow>(PAGE, (after, limit) =>
    listEnvelopesBy(ctx.db, actor.userId, after, limit),
  )
  for await (const envelopes of pages) yield openOwn(ctx, actor, envelopes)
}

/** The query selects nothing else; the grant decides all the same. */
async function openOwn(
  ctx: AppContext,
  actor: Actor,
  own: readonly EnvelopeRow[],
): Promise<OwnLetter[]> {
  const right = grantAuthor(actor, own)
  if (!right) throw new Error('A letter of somebody else is among one’s own')
  const [texts, files] = await Promise.all([
    openTexts(ctx, right, own),
    findOriginals(
      ctx,
      right,
      own.flatMap(({ mediaId }) => mediaId ?? []),
    ),
  ])
  return own.map((envelope) => ({
    envelope,
    content: texts.get(envelope.id)?.content,
    file: envelope.mediaId ? files.get(envelope.mediaId) : undefined,
  }))
}
