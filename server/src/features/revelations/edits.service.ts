import type { Kind } from '#contract/kinds.ts'
import type { Visibility } from '#contract/revelations.ts'
import type { EditRevelationInput } from '#contract/sealing.ts'
import { type AppContext, inTransaction, runHooks } from '#server/context.ts'
import { AppError, fieldError } from '#server/errors.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import { lockOwn } from '#server/features/access/envelopes.service.ts'
import { grantAuthor } from '#server/features/access/grants.service.ts'
import { resolveMovedRevealDate } from '#server/features/access/reveal-dates.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { consumeRecipientQuota } from '#server/features/mails/mail-limits.service.ts'
import { releaseMedia } from '#server/features/media/media.service.ts'
import {
  getOwnNotes,
  type Notes,
  notesAfter,
  storeNotes,
} from '#server/features/notes/notes.service.ts'
import { commitmentTo } from '#server/features/proofs/fields.rules.ts'
import {
  appendSeals,
  requireRoomForSeal,
  sealingInstant,
} from '#server/features/proofs/seals.service.ts'
import { publishRevelationChanged } from '#server/platform/pubsub/pubsub.ts'
import { changesAlbum, replaceAlbum } from './album.service.ts'
import { audienceField, kindField, type SealedFile } from './letter-fields.service.ts'
import { fileWordsOf, type LetterTrim, openTexts, sealLetter, sealTrim } from './letters.service.ts'
import { type PlannedRecipient, planRecipients, wantedRecipients } from './recipients.service.ts'
import { replaceFiles, updateRevelation } from './revelations.repository.ts'
import { isNarrowerOrSame, visibilityOf } from './revelations.rules.ts'
import { getSealed, type SealedNow } from './revelations.service.ts'
import { changesSealVoice, replaceSealVoice } from './seal-voices.service.ts'
import { changesStationery, stationeryAfter } from './stationery.service.ts'

/** The letter as it is sealed before the edit. */
interface CurrentLetter extends LetterTrim {
  content: string
  notes: Notes
  files: readonly SealedFile[]
}

/**
 * Changes a revelation before its instant, as a new sealed version when title, content, files or date change. Once
 * revealed, only the category and a narrower audience (behaviour.md 3.6): `revelation_revealed`, `visibility_widened`; and
 * `under_review` while it is hidden.
 */
export async function editRevelation(
  ctx: AppContext,
  actor: Actor,
  id: string,
  input: EditRevelationInput,
): Promise<SealedNow> {
  return inTransaction(ctx, async (tx) => {
    const envelope = await lockOwn(tx, actor, id)
    if (envelope.hiddenAt) throw new AppError('under_review')
    const current = await openOwn(tx, actor, envelope)
    publishRevelationChanged(tx, envelope, 'state')
    // The clock is read once the row is locked: nothing changes after the instant, however long the wait was.
    if (isRevealed(envelope, tx.now())) {
      await narrow(tx, envelope, current, input)
      return { ...current, envelope: await getSealed(tx, id) }
    }
    const sealed = await reseal(tx, actor, envelope, current, input)
    // Others may have read it while this waited: what they read must not close or change behind them.
    if (isRevealed(envelope, tx.now())) throw new AppError('revelation_revealed')
    return { ...sealed, envelope: await getSealed(tx, id) }
  })
}

async function openOwn(
  tx: AppContext,
  actor: Actor,
  envelope: EnvelopeRow,
): Promise<CurrentLetter> {
  const right = grantAuthor(actor, [envelope])
  const letter = right && (await openTexts(tx, right, [envelope])).get(envelope.id)
  if (!letter) throw new Error(`No letter in revelation ${envelope.id}`)
  const notesOf = await getOwnNotes(tx, actor, [envelope])
  return { ...letter, notes: notesOf(envelope.id) }
}

function changesFrozenPart(
  envelope: EnvelopeRow,
  current: CurrentLetter,
  input: EditRevelationInput,
): boolean {
  const changes = <T>(wanted: T | undefined, stored: T) => wanted !== undefined && wanted !== stored
  const date = resolveMovedRevealDate(input, envelope, envelope.revealAt)
  return (
    changes(input.title, envelope.title) ||
    changes(input.content, current.content) ||
    changes(input.kind, envelope.kind) ||
    changesRecipients(envelope, input) ||
    changes(input.teaser_start, envelope.teaserStart) ||
    changes(input.teaser_end, envelope.teaserEnd) ||
    'refusal' in date ||
    date.revealAt.getTime() !== envelope.revealAt.getTime() ||
    changesAlbum(envelope, current.files, input) ||
    changes(wordsOrNone(input.announcement_note), current.notes.announcement) ||
    changes(wordsOrNone(input.opening_note), current.notes.opening) ||
    changes(wordsOrNone(input.file_words), current.fileWords) ||
    changesSealVoice(envelope, current.voiceWords, input) ||
    changesStationery(current.stationery, input)
  )
}

function changesRecipients({ recipients, ...envelope }: EnvelopeRow, input: EditRevelationInput) {
  const shape = (list: readonly { address: string; name: string | null }[]) =>
    JSON.stringify(list.map(({ address, name }) => [address, name]))
  const seesOthers = input.recipients_see_each_other ?? envelope.recipientsSeeEachOther
  return (
    shape(wantedRecipients(input, recipients)) !== shape(recipients) ||
    seesOthers !== envelope.recipientsSeeEachOther
  )
}

function wordsOrNone(typed: string | null | undefined): string | null | undefined {
  return typed === undefined ? undefined : typed || null
}

async function narrow(
  tx: AppContext,
  envelope: EnvelopeRow,
  current: CurrentLetter,
  input: EditRevelationInput,
): Promise<void> {
  if (changesFrozenPart(envelope, current, input)) throw new AppError('revelation_revealed')
  const visibility = visibilityOf(input) ?? envelope.visibility
  if (!isNarrowerOrSame(visibility, envelope.visibility)) throw new AppError('visibility_widened')
  const category = input.category ?? envelope.category
  const sealedAt = await sealingInstant(tx, envelope.id)
  const publicSince = publicSinceAfter(envelope, visibility, sealedAt)
  const change = { visibility, category, publicSince, updatedAt: sealedAt }
  await updateRevelation(tx.db, envelope.id, change)
  await sealChange(tx, envelope, { visibility, kind: envelope.kind }, sealedAt)
}

/**
 * Another audience or kind is sealed too: whoever sees the letter later sees since when they could, and since when it is a
 * prediction.
 */
async function sealChange(
  tx: AppContext,
  { id, authorId, version, ...former }: EnvelopeRow,
  { visibility, kind }: { visibility: Visibility; kind: Kind },
  sealedAt: Date,
): Promise<void> {
  const fields = [
    ...(visibility === former.visibility ? [] : [audienceField(visibility)]),
    ...(kind === former.kind ? [] : [kindField(kind)]),
  ]
  if (fields.length === 0) return
  const seal = { revelationId: id, authorId, version, sealedAt, fields }
  await appendSeals(tx, [{ ...seal, kind: 'change', commitment: commitmentTo(fields) }])
}

/** Kept as long as it stays public. */
function publicSinceAfter(
  { visibility: former, publicSince }: EnvelopeRow,
  visibility: Visibility,
  sealedAt: Date,
): Date | null {
  if (visibility !== 'public') return null
  return former === 'public' ? publicSince : sealedAt
}

/** Seals the letter anew where it changed; answers its texts. */
async function reseal(
  tx: AppContext,
  actor: Actor,
  envelope: EnvelopeRow,
  current: CurrentLetter,
  input: EditRevelationInput,
): Promise<Omit<SealedNow, 'envelope'>> {
  const { id } = envelope
  const date = resolveMovedRevealDate(input, envelope, tx.now())
  if ('refusal' in date) throw fieldError('reveal_date', date.refusal)
  // The account before its files, as everywhere.
  const recipients = await changeRecipients(tx, actor, envelope, input)
  const album = await replaceAlbum(tx, actor, envelope, current.files, input)
  const voice = await replaceSealVoice(tx, actor, envelope, current.voiceWords, input)
  const storedWords = album.isFirstReplaced ? null : current.fileWords
  const trim = {
    fileWords: fileWordsOf(album.kind, input.file_words, storedWords),
    voiceWords: voice.words,
    stationery: await stationeryAfter(tx, actor.userId, input, current.stationery),
  }
  const visibility = visibilityOf(input) ?? envelope.visibility
  const kind = input.kind ?? envelope.kind
  const facts = {
    id,
    authorId: envelope.authorId,
    title: input.title ?? envelope.title,
    content: input.content ?? current.content,
    revealAt: date.revealAt,
    files: album.files,
    visibility,
    kind,
  }
  const notes = notesAfter(actor, input, current.notes)
  const isNewVersion =
    facts.title !== envelope.title ||
    facts.content !== current.content ||
    album.isChanged ||
    facts.revealAt.getTime() !== envelope.revealAt.getTime()
  const isChange = visibility !== envelope.visibility || kind !== envelope.kind
  if (isNewVersion || isChange) await requireRoomForSeal(tx, id)
  const sealed = isNewVersion ? sealLetter(tx, facts, trim) : undefined
  const sealedRow = sealed?.row ?? (await resealTrim(tx, actor, envelope, current, trim))
  const version = envelope.version + (sealed ? 1 : 0)
  const sealedAt = await sealingInstant(tx, id)
  const mediaIds = album.files.map(({ mediaId }) => mediaId)
  await updateRevelation(tx.db, id, {
    ...sealedRow,
    version,
    title: facts.title,
    kind,
    category: input.category ?? envelope.category,
    visibility,
    publicSince: publicSinceAfter(envelope, visibility, sealedAt),
    recipientsSeeEachOther: input.recipients_see_each_other ?? envelope.recipientsSeeEachOther,
    revealAt: date.revealAt,
    timeZone: date.timeZone,
    mediaId: mediaIds[0] ?? null,
    isAlbum: mediaIds.length > 1,
    fileType: album.kind,
    teaserStart: album.teaser?.startSeconds ?? null,
    teaserEnd: album.teaser?.endSeconds ?? null,
    sealVoiceId: voice.mediaId,
    updatedAt: sealedAt,
  })
  await storeNotes(tx, id, notes, current.notes)
  if (album.isChanged) await replaceFiles(tx.db, id, mediaIds)
  for (const releasedId of [...album.releasedIds, voice.releasedId]) {
    if (releasedId) await releaseMedia(tx, releasedId)
  }
  await runHooks(tx, 'onMoved', {
    revelationId: id,
    formerRevealAt: envelope.revealAt,
    revealAt: date.revealAt,
    recipients,
  })
  if (sealed) {
    const { row, fields } = sealed
    const seal = { revelationId: id, authorId: envelope.authorId, version, sealedAt, fields }
    await appendSeals(tx, [{ ...seal, kind: 'edit', commitment: row.commitment }])
  } else await sealChange(tx, envelope, { visibility, kind }, sealedAt)
  return { content: facts.content, files: album.files, notes, ...trim }
}

/** Another trim alone: no new version, since no commitment is about it. */
async function resealTrim(
  tx: AppContext,
  actor: Actor,
  envelope: EnvelopeRow,
  current: CurrentLetter,
  trim: LetterTrim,
) {
  const isSame =
    trim.fileWords === current.fileWords &&
    trim.voiceWords === current.voiceWords &&
    !changesStationery(current.stationery, trim.stationery)
  const right = isSame ? undefined : grantAuthor(actor, [envelope])
  return right && sealTrim(tx, right, envelope, trim)
}

/** Whom it is for from now on; writing to those who are new counts. */
async function changeRecipients(
  tx: AppContext,
  actor: Actor,
  { recipients }: EnvelopeRow,
  input: EditRevelationInput,
): Promise<PlannedRecipient[]> {
  const planned = planRecipients(recipients, wantedRecipients(input, recipients))
  const added = planned.filter(({ isNew }) => isNew).map(({ address }) => address)
  await consumeRecipientQuota(tx, actor, added)
  return planned
}
