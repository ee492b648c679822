import unhomoglyph from 'unhomoglyph'
import { newPseudoSchema } from '#contract/profiles.ts'
import { type AppContext, inBatches } from '#server/context.ts'
import { fieldError } from '#server/errors.ts'
import { listUsersWithoutSkeleton, setPseudoSkeletons } from './auth.repository.ts'
import { pseudoKeyOf } from './auth.rules.ts'

/**
 * The skeleton of UTS 39, equal for pseudos that look alike: « аdmin » in Cyrillic and « admin », « 0 » and « o », « rn »
 * and « m ». `i` equals `l`, `I` and `1`, as people read them. Accents count.
 */
export function skeletonOf(pseudo: string): string {
  // A capital may resemble another letter than its small one does: both are mapped.
  return prototypeOf(prototypeOf(pseudo.normalize('NFKC')))
    .normalize('NFD')
    .replaceAll('i', 'l')
}

function prototypeOf(text: string): string {
  return unhomoglyph(text.normalize('NFD')).toLowerCase()
}

/** Names of those who run a site, and of this one: people would believe who bears one. */
const RESERVED = `
  admin admins administrateur administratrice administration administrator sysadmin root superuser system systeme
  webmaster postmaster hostmaster support aide help assistance sav service serviceclient contact info infos
  moderation moderateur moderatrice moderator modo equipe team staff officiel officielle official
  revelation revelations securite security confidentialite verification abuse noreply nepasrepondre
  operateur hebergeur juridique rgpd dpo facturation paiement
`
const BESIDE = 'le la les de du des fr be com'

const DIGITS_READ_AS_LETTERS = new Map([
  ['3', 'e'],
  ['4', 'a'],
  ['5', 's'],
  ['7', 't'],
])

/** As `skeletonOf`, without accents and separators, and with the digits that are read as letters. */
function readingOf(pseudo: string): string {
  return skeletonOf(pseudo)
    .replaceAll(/[\p{M}._-]/gu, '')
    .replaceAll(/[3457]/g, (digit) => DIGITS_READ_AS_LETTERS.get(digit) ?? digit)
}

const oneOf = (words: string) => `(?:${words.trim().split(/\s+/).map(readingOf).join('|')})`
const RESERVED_PSEUDO = new RegExp(
  `^${oneOf(BESIDE)}*${oneOf(RESERVED)}(?:${oneOf(RESERVED)}|${oneOf(BESIDE)})*$`,
)
const OUTER_DIGITS = /^[\p{N}._-]+|[\p{N}._-]+$/gu

/** Whether a pseudo consists of reserved names alone, in any spelling: « Équipe-Révélations », « adm1n », « admin_2 ». */
export function isReserved(pseudo: string): boolean {
  return [pseudo, pseudo.normalize('NFKC').replaceAll(OUTER_DIGITS, '')].some((written) =>
    RESERVED_PSEUDO.test(readingOf(written)),
  )
}

const SKELETONS_AT_ONCE = 500

/** The columns of a pseudo that somebody chooses now; a `fieldError` for reserved names. */
export function parseNewPseudo(pseudo: string) {
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

/** Adds skeletons to accounts that have none, the oldest first; of pseudos that look alike, one gets it. */
export async function backfillSkeletons(ctx: AppContext): Promise<number> {
  return inBatches(ctx, SKELETONS_AT_ONCE, async (tx) => {
    const users = await listUsersWithoutSkeleton(tx.db, SKELETONS_AT_ONCE)
    await setPseudoSkeletons(
      tx.db,
      users.map((user) => ({ ...user, skeleton: skeletonOf(user.pseudo) })),
    )
    return users.length
  })
}
