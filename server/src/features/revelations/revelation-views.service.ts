import type { Outcome } from '#contract/predictions.ts'
import type { Emoji } from '#contract/reactions.ts'
import type { AppContext } from '#server/context.ts'
import {
  addresseeRelation,
  authorRelation,
  canViewEnvelope,
  isRevealed,
  type ViewerRelation,
} from '#server/features/access/access.rules.ts'
import { albumOf, type EnvelopeRow, filesOf } from '#server/features/access/envelopes.rules.ts'
import { readVisible } from '#server/features/access/envelopes.service.ts'
import { grantAuthor, grantReader } from '#server/features/access/grants.service.ts'
import { ticketHolderOf } from '#server/features/access/media-gate.service.ts'
import type { Viewer } from '#server/features/access/viewers.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { type Delivery, getDeliveries } from '#server/features/deliveries/deliveries.service.ts'
import {
  type EnvelopeMedia,
  envelopeMedia,
  type FileProcessing,
  letterMedia,
  processingOf,
} from '#server/features/media/file-views.service.ts'
import { getOwnNotes, type Notes } from '#server/features/notes/notes.service.ts'
import { mergeRights } from '#server/platform/sealing/reading-right.ts'
import { type Letter, letterOf, openLetters } from './letters.service.ts'
import { type ListViewer, relationInList } from './lists.rules.ts'
import { listMarks, type ReaderMarks } from './reader-marks.repository.ts'
import type { SealedNow } from './revelations.service.ts'

/** A revelation as one viewer sees it at one instant. Without `letter`, it is sealed to them. */
export interface RevelationView {
  envelope: EnvelopeRow
  relation: ViewerRelation
  now: Date
  letter: Letter | undefined
  media: EnvelopeMedia | undefined
  /** The viewer’s own reactions; undefined without an account, which reacting and commenting require. */
  mine: readonly Emoji[] | undefined
  /** The outcome that the viewer voted for. */
  myVote: Outcome | undefined
  /** When the viewer broke the seal. */
  openedAt: Date | null
  /** The viewer asked to be reminded of the instant. */
  isAwaited: boolean
  /** Of the author's own only. */
  own: { deliveries: readonly Delivery[]; processing: FileProcessing | undefined } | undefined
  /** The author’s words for the mails, on the page of their own letter alone. */
  notes?: Notes | undefined
}

/** One revelation as this viewer may see it now. Reading records nothing: only the act of opening does. */
export async function getRevelation(
  ctx: AppContext,
  viewer: Viewer,
  id: string,
): Promise<RevelationView> {
  const { envelope, relation, keyHolder, holder, now, letter } = await readVisible(
    ctx,
    viewer,
    id,
    async (known) => {
      const now = ctx.now()
      const { keyHolder, envelope, relation } = known
      const holder = ticketHolderOf(viewer, keyHolder, envelope.id, relation.isAuthor)
      const right = grantReader(known.relation, known.envelope, now)
      const letters = right && (await openLetters(ctx, right, holder, [known.envelope]))
      const letter = letters?.get(known.envelope.id)
      return { ...known, holder, now, letter, isWhole: !right || letter !== undefined }
    },
  )
  const { actor } = viewer
  const [marks, contextOf] = await Promise.all([
    marksOf(ctx, actor, [id]),
    loadViewerContext(ctx, holder, [{ envelope, relation }]),
  ])
  const shown = showMarks(marks, envelope, now)
  const byKey = keyHolder?.revelationId === envelope.id ? keyHolder.sealBrokenAt : null
  const author = relation.isAuthor ? actor : null
  const notesOf = author ? await getOwnNotes(ctx, author, [envelope]) : undefined
  return {
    ...{ envelope, relation, now, letter, notes: notesOf?.(envelope.id) },
    ...contextOf(envelope),
    ...shown,
    openedAt: shown.openedAt ?? byKey,
  }
}

/** What its author sees of a letter that was just sealed: nothing of its text is opened again. */
export async function viewSealed(
  ctx: AppContext,
  actor: Actor,
  { envelope, notes, ...texts }: SealedNow,
): Promise<RevelationView> {
  const now = ctx.now()
  const relation = authorRelation(actor, envelope)
  const holder = ticketHolderOf({ actor, deliveryKey: null }, undefined, undefined)
  const right = grantAuthor(actor, [envelope])
  if (!right) throw new Error('A letter that was just sealed is its author’s')
  const [files, marks, contextOf] = await Promise.all([
    letterMedia(ctx, right, holder, filesOf(envelope)),
    marksOf(ctx, actor, [envelope.id]),
    loadViewerContext(ctx, holder, [{ envelope, relation }]),
  ])
  const letter = letterOf(envelope, texts, files)
  const shown = showMarks(marks, envelope, now)
  return { envelope, relation, now, letter, notes, ...contextOf(envelope), ...shown }
}

/** Whom a list is for. */
export interface ListReader {
  actor: Actor | null
  viewer: ListViewer
  /** What they did about what is listed, where that was read with it. */
  marks?: Marks | undefined
}

/** The envelopes as this reader sees them, with the letters that the gate opens, decided one by one. */
export async function loadViews(
  ctx: AppContext,
  reader: ListReader,
  envelopes: readonly EnvelopeRow[],
  now: Date,
): Promise<RevelationView[]> {
  const { actor } = reader
  const holder = ticketHolderOf({ actor, deliveryKey: null }, undefined, undefined)
  const ids = envelopes.map(({ id }) => id)
  const marks = reader.marks ?? (await marksOf(ctx, actor, ids))
  const known = envelopes.flatMap((envelope) => {
    const relation = listRelation({ ...reader, marks }, envelope)
    // The queries select nothing else; the gate decides all the same.
    if (!canViewEnvelope(relation, envelope, now)) return []
    return { envelope, relation, right: grantReader(relation, envelope, now) }
  })
  const right = mergeRights(known.flatMap((item) => item.right ?? []))
  const readable = known.filter((item) => item.right).map((item) => item.envelope)
  const [letters, contextOf] = await Promise.all([
    readable.length > 0
      ? openLetters(ctx, right, holder, readable, { withFileWords: false })
      : new Map<string, never>(),
    loadViewerContext(ctx, holder, known),
  ])
  return known.map(({ envelope, relation }) => ({
    envelope,
    relation,
    now,
    letter: letters.get(envelope.id),
    ...contextOf(envelope),
    ...showMarks(marks, envelope, now),
  }))
}

/** The ids of the rows that these views show to everybody. */
export function rowsShown(seen: readonly RevelationView[]): string[] {
  return seen.flatMap(({ envelope }) => [envelope.id, envelope.authorId, ...filesOf(envelope)])
}

function listRelation({ actor, viewer, marks }: ListReader, envelope: EnvelopeRow): ViewerRelation {
  const savedDeliveryId = marks?.get(envelope.id)?.savedDeliveryId ?? undefined
  return {
    isAuthor: actor?.userId === envelope.authorId,
    relationship: relationInList(viewer, envelope.authorId),
    ...addresseeRelation(actor, envelope, { savedDeliveryId }),
  }
}

/** By the ids of revelations; undefined for whoever has no account, which doing anything requires. */
type Marks = ReadonlyMap<string, ReaderMarks> | undefined

async function marksOf(
  ctx: AppContext,
  actor: Actor | null,
  ids: readonly string[],
): Promise<Marks> {
  return actor ? await listMarks(ctx.db, actor, ids) : undefined
}

type ViewerMarks = Pick<RevelationView, 'mine' | 'myVote' | 'openedAt' | 'isAwaited'>

/** What the marks of a reader show on one revelation. */
export function showMarks(marks: Marks, envelope: EnvelopeRow, now: Date): ViewerMarks {
  const { reactions = [], vote, openedAt, isAwaited } = marks?.get(envelope.id) ?? {}
  const revealed = isRevealed(envelope, now)
  return {
    mine: marks && reactions,
    myVote: vote ?? undefined,
    openedAt: (revealed && openedAt) || null,
    isAwaited: (revealed && isAwaited) || false,
  }
}

type ViewerContext = Pick<RevelationView, 'media' | 'own'>

/** What a view has besides the letter and marks (teasers; for one’s own, processing and delivery). */
async function loadViewerContext(
  ctx: AppContext,
  holder: string,
  seen: readonly { envelope: EnvelopeRow; relation: ViewerRelation }[],
): Promise<(envelope: EnvelopeRow) => ViewerContext> {
  const own = seen.filter(({ relation }) => relation.isAuthor).map(({ envelope }) => envelope)
  const [media, processing, deliveries] = await Promise.all([
    envelopeMedia(
      ctx,
      holder,
      // Nothing but a teaser shows with an envelope.
      seen.flatMap(({ envelope }) => (envelope.teaserEnd === null ? [] : (envelope.mediaId ?? []))),
    ),
    processingOf(
      ctx,
      own.map((envelope) => ({ id: envelope.id, mediaIds: albumOf(envelope) })),
    ),
    getDeliveries(
      ctx,
      own.map((envelope) => envelope.id),
    ),
  ])
  return ({ id, mediaId }) => {
    const ownDeliveries = deliveries.get(id)
    return {
      media: (mediaId && media.get(mediaId)) || undefined,
      own: ownDeliveries && {
        deliveries: ownDeliveries,
        processing: processing.get(id),
      },
    }
  }
}
