import { newPseudoSchema } from '#contract/profiles.ts'
import { type AppContext, inBatches } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import { pseudoKeyOf } from './auth.rules.ts'
import { isReserved, skeletonOf } from './pseudo-forms.service.ts'
import { listWithoutSkeleton, setSkeletons } from './pseudos.repository.ts'

const SKELETONS_AT_ONCE = 500

/** What is stored of a pseudo that somebody chooses now; refuses the names of those who run the site. */
export function storedPseudo(pseudo: string) {
  const checked = newPseudoSchema.safeParse(pseudo)
  if (!checked.success) throw fieldError('pseudo', checked.error.issues[0]?.message ?? '')
  if (isReserved(pseudo)) {
    throw fieldError(
      'pseudo',
      'Ce pseudo est réservé à l’équipe de Révélations. Choisissez-en un autre.',
    )
  }
  return { pseudo, pseudoKey: pseudoKeyOf(pseudo), pseudoSkeleton: skeletonOf(pseudo) }
}

/** Gives accounts of before their skeletons, the oldest first; of those that look the same, one holds it. */
export async function fillSkeletons(ctx: AppContext): Promise<number> {
  return inBatches(ctx, SKELETONS_AT_ONCE, async (tx) => {
    const users = await listWithoutSkeleton(tx.db, SKELETONS_AT_ONCE)
    await setSkeletons(
      tx.db,
      users.map((user) => ({ ...user, skeleton: skeletonOf(user.pseudo) })),
    )
    return users.length
  })
}
