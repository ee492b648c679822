import unhomoglyph from 'unhomoglyph'

/**
 * What pseudos that look the same have in common (the skeleton of UTS 39): « аdmin » in Cyrillic and « admin », « 0 » and
 * « o », « rn » and « m ». `i` is one with `l`, `I` and `1`, as people read them. An accent stays what it is.
 */
export function skeletonOf(pseudo: string): string {
  // A capital may look like another letter than its small one does: both are looked at.
  return prototypeOf(prototypeOf(pseudo.normalize('NFKC')))
    .normalize('NFD')
    .replaceAll('i', 'l')
}

function prototypeOf(text: string): string {
  return unhomoglyph(text.normalize('NFD')).toLowerCase()
}

/** Names of those who run a site, and of this one: whoever bears one is believed. */
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

/** Whether a pseudo is made of such names alone, however it is written: « Équipe-Révélations », « adm1n », « admin_2 ». */
export function isReserved(pseudo: string): boolean {
  return [pseudo, pseudo.normalize('NFKC').replaceAll(OUTER_DIGITS, '')].some((written) =>
    RESERVED_PSEUDO.test(readingOf(written)),
  )
}
