/** Two servers that differ in what is locked and in nothing else. */
export type WorldName = 'A' | 'B'
export type Pair<T> = Record<WorldName, T>

/** What an outsider would try in the search: all of it stands in letters that are locked and in letters that are not. */
const COMMON_WORDS = ['mariage', 'démission', 'victoire', 'naissance', 'Lisbonne', 'héritage']

// World A repeats itself where B does not: a value made from a letter (a hash without salt, a length) is then the
// same for two items of A and not of B, however it is masked. Even and odd letters stand in opposite orders in the
// two worlds, by alphabet and by length.
const LOCKED_LETTERS: Pair<readonly string[]> = {
  A: ['Je dirai oui : mariage en juin, à Lisbonne.', 'La victoire sera pour nous, 3 à 1.'],
  B: [
    'Lundi matin : démission.',
    'Défaite, et un long voyage avec toi pour oublier tout cela : 1 à 3.',
    'Naissance en avril.',
    'Héritage : tout est pour toi, chez le notaire de la rue haute.',
  ],
}

const SHARED_LETTERS = [
  'Mariage et naissance le même jour : quelle année.',
  'Après la démission, la victoire.',
  'Un héritage à Lisbonne, voilà tout le secret.',
]

const LOCKED_NAMES: Pair<readonly string[]> = {
  A: ['bague de mariage'],
  B: ['lettre de démission bien longue', 'échographie'],
}
const SHARED_NAMES = ['carte', 'souvenir de Lisbonne']

function pickFrom(texts: readonly string[], pick: number): string {
  return texts[pick % texts.length] as string
}

export function lockedLetter(world: WorldName, pick: number): string {
  return pickFrom(LOCKED_LETTERS[world], pick)
}

export function sharedLetter(pick: number): string {
  return pickFrom(SHARED_LETTERS, pick)
}

/** Without its extension. */
export function lockedName(world: WorldName, pick: number): string {
  return pickFrom(LOCKED_NAMES[world], pick)
}

export function sharedName(pick: number): string {
  return pickFrom(SHARED_NAMES, pick)
}

export function titleOf(pick: number): string {
  return `Révélation n° ${pick} : ${pickFrom(COMMON_WORDS, pick)}`
}

/** Words to search for: those of titles and open letters, and some that only locked letters and file names hold. */
export const SEARCHED_WORDS = [...COMMON_WORDS, 'juin', 'défaite', 'bague', 'échographie']

/** Every text that is or was locked somewhere. */
export const GUESSED_TEXTS = [
  ...LOCKED_LETTERS.A,
  ...LOCKED_LETTERS.B,
  ...LOCKED_NAMES.A,
  ...LOCKED_NAMES.B,
]
