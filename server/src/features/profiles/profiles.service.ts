import type { ProfileInput } from '#contract/profiles.ts'
import type { AppContext } from '#server/context.ts'
import { pseudoKeyOf } from '#server/features/auth/auth.rules.ts'
import { takenError } from '#server/features/auth/auth.service.ts'
import type { Actor } from '#server/features/auth/auth.session.ts'
import { isUniqueViolation } from '#server/platform/database/sql-errors.ts'
import { updateProfile } from './profiles.repository.ts'

/** Changes what is given and leaves the rest; `pseudo_taken`. */
export async function editProfile(ctx: AppContext, actor: Actor, input: ProfileInput) {
  const { avatar_url: _, ...texts } = input
  const pseudoKey = input.pseudo === undefined ? {} : { pseudoKey: pseudoKeyOf(input.pseudo) }
  try {
    return await updateProfile(ctx.db, actor.userId, { ...texts, ...pseudoKey })
  } catch (error) {
    if (isUniqueViolation(error)) throw takenError('pseudo')
    throw error
  }
}
