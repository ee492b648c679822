import type { PublicRecord } from '#contract/predictions.ts'
import { emailAddress } from '#contract/text.ts'
import type { AppContext, HookEvents } from '#server/context.ts'
import type { PublicFacts } from '#server/features/auth/auth.rules.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import {
  findRelation,
  findStanding,
  personNotFound,
} from '#server/features/relationships/relationships.service.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import { withSearchTimeout } from '#server/search-time.ts'
import { countWithdrawal, readRecord, sumFigures } from './figures.repository.ts'
import type { Figures } from './figures.rules.ts'
import {
  findByEmailKey,
  findPublicUser,
  searchByPseudo,
  setProfileHidden,
} from './people.repository.ts'

const SEARCH_LIMIT = 20

export interface SeenPerson {
  user: PublicFacts
  figures: Figures
  record: PublicRecord
  /** null for a visitor and for oneself. */
  standing: Awaited<ReturnType<typeof findStanding>> | null
}

/** What everybody may see of a person; `not_found` when a block or an operator hides them. */
export async function getProfile(
  ctx: AppContext,
  actor: Actor | null,
  userId: string,
): Promise<PublicFacts> {
  const viewerId = actor?.userId ?? null
  const user = await findPublicUser(ctx.db, userId, viewerId)
  const isOther = viewerId !== null && viewerId !== userId
  const tie = isOther && (await findRelation(ctx, viewerId, userId))
  if (!user || tie === 'blocked') throw personNotFound()
  return user
}

/** A person as this viewer may see them, with their figures; `not_found` as for the profile. */
export async function getPersonSeen(
  ctx: AppContext,
  actor: Actor | null,
  userId: string,
): Promise<SeenPerson> {
  const user = await getProfile(ctx, actor, userId)
  const isOwn = actor?.userId === userId
  const other = isOwn ? null : actor
  const now = ctx.now()
  const [figures, record, standing] = await Promise.all([
    sumFigures(ctx.db, userId, now, isOwn ? 'all' : 'public'),
    readRecord(ctx.db, userId, now),
    other && findStanding(ctx, other.userId, userId),
  ])
  return { user, figures, record, standing }
}

/** People by a part of their pseudo, the best first; by their e-mail only when it is whole (behaviour.md 2.5). */
export async function searchPeople(
  ctx: AppContext,
  actor: Actor | null,
  q: string,
): Promise<PublicFacts[]> {
  const text = q.normalize('NFC').trim()
  if (text === '' || !text.isWellFormed() || text.includes('\0')) return []
  const seekerId = actor?.userId ?? null
  if (isAddress(text)) return findByEmailKey(ctx.db, emailKeyOf(text), seekerId)
  // « @pseudo » is how the pages write it; no pseudo has one inside.
  const pseudo = text.replace(/^@/, '')
  if (pseudo === '') return []
  return withSearchTimeout(ctx, (tx) =>
    searchByPseudo(tx.db, { text: pseudo, seekerId, limit: SEARCH_LIMIT }),
  )
}

/** Takes a profile out of the sight of everybody else; false when it is hidden already, or nobody’s. */
export async function hideProfile(tx: AppContext, userId: string): Promise<boolean> {
  return setProfileHidden(tx.db, userId, tx.now())
}

/** Shows it again; false when it is not hidden. */
export async function restoreProfile(tx: AppContext, userId: string): Promise<boolean> {
  return setProfileHidden(tx.db, userId, null)
}

const ADDRESS = emailAddress('')

/** Whether a search is for a whole address: what is still being typed finds nobody and is not counted. */
export function isAddress(q: string): boolean {
  return ADDRESS.safeParse(q.normalize('NFC')).success
}

/** On `onDeleted`: a withdrawn letter stays in its author’s public record, if it ever was public. */
export async function recordWithdrawal(
  tx: AppContext,
  { authorId, wasPublic }: HookEvents['onDeleted'],
): Promise<void> {
  if (wasPublic) await countWithdrawal(tx.db, authorId)
}
