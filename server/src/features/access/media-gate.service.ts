import type { AppContext } from '#server/context.ts'
import { AppError, notFound } from '#server/errors.ts'
import { findActorBySession } from '#server/features/auth/auth.service.ts'
import type { ReadingRight } from '#server/platform/sealing/reading-right.ts'
import { canRead, canViewEnvelope, isRevealed, type ViewerRelation } from './access.rules.ts'
import { findEnvelope, findEnvelopeByMedia } from './envelopes.repository.ts'
import type { EnvelopeRow } from './envelopes.rules.ts'
import { grantReader } from './grants.service.ts'
import type { KeyHolder } from './personal-keys.rules.ts'
import { findKeyHolderByName } from './personal-keys.service.ts'
import { getViewerRelation, type KnownEnvelope, type Viewer } from './viewers.service.ts'

/** Whether a part of a file may be sent; `right` opens it, absent for what goes with the envelope. */
export interface MediaAccess {
  isAllowed: boolean
  right?: ReadingRight | undefined
  /** Whether everybody may have it now, visitors too; absent where nobody else ever may. */
  isForEverybody?: boolean
}

/**
 * Answers whether the holder of a ticket may have a part of a file now, for the files of one feature; undefined when the
 * file is none of that feature's. `holder` is what the ticket names.
 */
export type MediaGate = (
  ctx: AppContext,
  request: { mediaId: string; part: 'envelope' | 'letter'; holder: string },
) => Promise<MediaAccess | undefined>

/**
 * What a media ticket remembers of the viewer, so that the right can be checked again at each request. Its author has more by
 * their session than by any link to the letter.
 */
export function ticketHolderOf(
  viewer: Viewer,
  keyHolder: KeyHolder | undefined,
  revelationId: string | undefined,
  isAuthor = false,
): string {
  const isByKey = keyHolder?.revelationId === revelationId && !isAuthor
  if (keyHolder && isByKey) return keyTicketHolder(keyHolder)
  return viewer.actor ? sessionTicketHolder(viewer.actor) : 'visitor'
}

export function sessionTicketHolder({ sessionId }: { sessionId: string }): string {
  return `session:${sessionId}`
}

export function keyTicketHolder({ keyName }: Pick<KeyHolder, 'keyName'>): string {
  return `key:${keyName}`
}

/** Whether the holder of a ticket may have a part of a revelation's file now. */
export const revelationMediaGate: MediaGate = async (ctx, { holder, mediaId, part }) => {
  const envelope = await findEnvelopeByMedia(ctx.db, mediaId)
  if (!envelope) return undefined
  // After the envelope: a key that is revoked as its letter is addressed to somebody else opens nothing of theirs.
  const [known, everybody] = await Promise.all([
    findKnownByHolder(ctx, holder, envelope),
    getViewerRelation(ctx, VISITOR, envelope),
  ])
  const now = ctx.now()
  // A teaser goes with the envelope as long as its film is the first of the files.
  const mayHave = (relation: ViewerRelation) =>
    part === 'letter'
      ? canRead(relation, envelope, now)
      : envelope.mediaId === mediaId && canViewEnvelope(relation, envelope, now)
  if (!known || !mayHave(known.relation)) return { isAllowed: false }
  const right = part === 'letter' ? grantReader(known.relation, envelope, now) : undefined
  return { isAllowed: true, right, isForEverybody: everybody !== undefined && mayHave(everybody) }
}

/** A letter that its reader may open now. */
export interface ReadableLetter extends KnownEnvelope {
  right: ReadingRight
}

/**
 * A revealed letter that the holder of a ticket may read now. `not_found` to whoever may not see it, and once their session
 * ended or their key was revoked; `still_sealed` before the instant, to its author too.
 */
export async function requireReadable(
  ctx: AppContext,
  holder: string,
  id: string,
): Promise<ReadableLetter> {
  const envelope = await findEnvelope(ctx.db, id)
  const known = envelope && (await findKnownByHolder(ctx, holder, envelope))
  if (!known || !canViewEnvelope(known.relation, envelope, ctx.now())) throw notFound()
  if (!isRevealed(envelope, ctx.now())) throw new AppError('still_sealed')
  const right = grantReader(known.relation, envelope, ctx.now())
  if (!right) throw notFound()
  return { ...known, right }
}

const VISITOR = { actor: null, keyHolder: undefined }

/** How the holder of a ticket stands to a revelation now; undefined when the session ended or the key was revoked since. */
export async function findKnownByHolder(
  ctx: AppContext,
  holder: string,
  envelope: EnvelopeRow,
): Promise<KnownEnvelope | undefined> {
  const [kind, id = ''] = holder.split(':', 2)
  const actor = (kind === 'session' && (await findActorBySession(ctx, id))) || null
  const keyHolder = kind === 'key' ? await findKeyHolderByName(ctx, id) : undefined
  if (kind !== 'visitor' && !actor && !keyHolder) return undefined
  const relation = await getViewerRelation(ctx, { actor, keyHolder }, envelope)
  return relation && { actor, envelope, relation, keyHolder }
}
