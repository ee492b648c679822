import type { ProfileInput } from '#contract/profiles.ts'
import { type AppContext, inTransaction } from '#server/context.ts'
import { pseudoKeyOf } from '#server/features/auth/auth.rules.ts'
import { alreadyUsedError, getUser } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { parseNewPseudo } from '#server/features/auth/pseudos.service.ts'
import { isUniqueViolation } from '#server/platform/database/sql-errors.ts'
import { discardAvatar } from './avatar-files.service.ts'
import { makeNewAvatar, placeAvatar, removeAvatar } from './avatars.service.ts'
import { type ProfileChange, setOnboarded, updateProfile } from './profiles.repository.ts'

/** Changes what is given and leaves the rest; `pseudo_taken`. A new picture comes with all of it or not at all. */
export async function editProfile(ctx: AppContext, actor: Actor, input: ProfileInput) {
  const { avatar_url: given, ...texts } = input
  // An empty field is how older clients say that there is none.
  const avatarUrl = given === '' ? null : given
  const change: ProfileChange = { ...texts, ...(await pseudoChange(ctx, actor, input.pseudo)) }
  if (avatarUrl === undefined || (await isCurrent(ctx, actor, avatarUrl))) {
    return save(ctx, actor, change, async () => {})
  }
  if (avatarUrl === null) {
    return save(ctx, actor, { ...change, avatarUrl: null }, (tx) => removeAvatar(tx, actor))
  }
  const avatar = await makeNewAvatar(ctx, actor, avatarUrl)
  try {
    const changed = { ...change, avatarUrl: avatar.url }
    return await save(ctx, actor, changed, (tx) => placeAvatar(tx, actor, avatar))
  } catch (error) {
    await discardAvatar(ctx, avatar)
    throw error
  }
}

/** The first time counts; any other changes nothing. */
export async function markOnboarded(ctx: AppContext, actor: Actor): Promise<void> {
  await setOnboarded(ctx.db, actor.userId, ctx.now())
}

/** Whoever keeps their pseudo, or changes its case, keeps what it was chosen by: rules were fewer then. */
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

/** The account is written first: it keeps two pictures sent at once apart. */
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
