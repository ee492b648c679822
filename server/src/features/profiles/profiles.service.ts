import type { PublicRecord } from '#contract/predictions.ts'
import type { ProfileInput } from '#contract/profiles.ts'
import { emailAddress } from '#contract/text.ts'
import { type AppContext, type HookEvents, inTransaction } from '#server/context.ts'
import { type PublicFacts, pseudoKeyOf } from '#server/features/auth/auth.rules.ts'
import { alreadyUsedError, getUser } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { parseNewPseudo } from '#server/features/auth/pseudos.service.ts'
import {
  findRelation,
  findStanding,
  personNotFound,
} from '#server/features/relationships/relationships.service.ts'
import { isUniqueViolation } from '#server/platform/database/sql-errors.ts'
import { emailKeyOf } from '#server/platform/mail/email-address.ts'
import { withSearchTimeout } from '#server/search-time.ts'
import { createAvatar, discardAvatar, removeAvatar, replaceAvatar } from './avatars.service.ts'
import {
  countWithdrawal,
  findByEmailKey,
  findPublicUser,
  type ProfileChange,
  readRecord,
  searchByPseudo,
  setOnboarded,
  setProfileHidden,
  sumFigures,
  updateProfile,
} from './profiles.repository.ts'
import type { ProfileFigures } from './profiles.rules.ts'

const SEARCH_LIMIT = 20

export interface SeenPerson {
  user: PublicFacts
  figures: ProfileFigures
  record: PublicRecord
  /** null for a visitor and for oneself. */
  standing: Awaited<ReturnType<typeof findStanding>> | null
}

/** The public facts of a person; `not_found` when a block or an operator hides them. */
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

/** A person as this viewer sees them, with their figures; `not_found` as for `getProfile`. */
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

/** People by a part of their pseudo, the best first, or by their whole address (behaviour.md 2.5). */
export async function searchPeople(
  ctx: AppContext,
  actor: Actor | null,
  q: string,
): Promise<PublicFacts[]> {
  const text = q.normalize('NFC').trim()
  if (text === '' || !text.isWellFormed() || text.includes('\0')) return []
  const seekerId = actor?.userId ?? null
  if (isAddress(text)) return findByEmailKey(ctx.db, emailKeyOf(text), seekerId)
  // Pages write « @pseudo »; no pseudo contains an @.
  const pseudo = text.replace(/^@/, '')
  if (pseudo === '') return []
  return withSearchTimeout(ctx, (searching) =>
    searchByPseudo(searching.db, { text: pseudo, seekerId, limit: SEARCH_LIMIT }),
  )
}

/** Hides a profile from everybody else; false when it is hidden already, or nobody’s. */
export async function hideProfile(tx: AppContext, userId: string): Promise<boolean> {
  return setProfileHidden(tx.db, userId, tx.now())
}

/** Shows a profile again; false when it is not hidden. */
export async function restoreProfile(tx: AppContext, userId: string): Promise<boolean> {
  return setProfileHidden(tx.db, userId, null)
}

const ADDRESS = emailAddress('')

/** Whether a search is for a whole address; a partial one finds nobody and does not count. */
export function isAddress(q: string): boolean {
  return ADDRESS.safeParse(q.normalize('NFC')).success
}

/** On `onDeleted`: a letter that counted in its author’s record stays there as withdrawn. */
export async function recordWithdrawal(
  tx: AppContext,
  { authorId, isInRecord }: HookEvents['onDeleted'],
): Promise<void> {
  if (isInRecord) await countWithdrawal(tx.db, authorId)
}

/** Changes the fields of the input; `pseudo_taken`. A new picture is stored with the rest or not at all. */
export async function editProfile(ctx: AppContext, actor: Actor, input: ProfileInput) {
  const { avatar_url: url, ...texts } = input
  // Older clients send an empty field to remove the picture.
  const avatarUrl = url === '' ? null : url
  const change: ProfileChange = { ...texts, ...(await pseudoChange(ctx, actor, input.pseudo)) }
  if (avatarUrl === undefined || (await isCurrent(ctx, actor, avatarUrl))) {
    return save(ctx, actor, change, async () => {})
  }
  if (avatarUrl === null) {
    return save(ctx, actor, { ...change, avatarUrl: null }, (tx) => removeAvatar(tx, actor))
  }
  const avatar = await createAvatar(ctx, actor, avatarUrl)
  try {
    const changed = { ...change, avatarUrl: avatar.url }
    return await save(ctx, actor, changed, (tx) => replaceAvatar(tx, actor, avatar))
  } catch (error) {
    await discardAvatar(ctx, avatar)
    throw error
  }
}

/** Records the first time; any other changes nothing. */
export async function markOnboarded(ctx: AppContext, actor: Actor): Promise<void> {
  await setOnboarded(ctx.db, actor.userId, ctx.now())
}

/** A pseudo whose case alone changes is not checked again: it may be older than the rules. */
async function pseudoChange(
  ctx: AppContext,
  actor: Actor,
  pseudo: string | undefined,
): Promise<ProfileChange> {
  if (pseudo === undefined) return {}
  const { pseudoKey } = await getUser(ctx, actor.userId)
  return pseudoKeyOf(pseudo) === pseudoKey ? { pseudo } : parseNewPseudo(pseudo)
}

async function isCurrent(ctx: AppContext, actor: Actor, url: string | null): Promise<boolean> {
  return (await getUser(ctx, actor.userId)).avatarUrl === url
}

/** Writes the account first: its lock separates two pictures that are sent at once. */
async function save(
  ctx: AppContext,
  actor: Actor,
  change: ProfileChange,
  changePicture: (tx: AppContext) => Promise<void>,
) {
  try {
    return await inTransaction(ctx, async (tx) => {
      const user = await updateProfile(tx.db, actor.userId, change)
      await changePicture(tx)
      return user
    })
  } catch (error) {
    if (isUniqueViolation(error, 'users_pseudo_skeleton_key')) throw alreadyUsedError('lookalike')
    if (isUniqueViolation(error)) throw alreadyUsedError('pseudo')
    throw error
  }
}
