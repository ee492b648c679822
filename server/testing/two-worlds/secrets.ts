import type { FileType, Stationery } from '#contract/revelations.ts'
import { colourVideo, pdf, picture, toneAudio } from '#testing/media-files.ts'
import type { FileToSend } from '#testing/uploads.ts'

/** Two servers that differ only in locked content. */
export type WorldName = 'A' | 'B'
export type Pair<T> = Record<WorldName, T>

/** Words an outsider would search for; each stands in locked letters and in open ones. */
const COMMON_WORDS = ['mariage', 'démission', 'victoire', 'naissance', 'Lisbonne', 'héritage']

// World A repeats itself where B does not: a value derived from a letter (a hash without salt, a length) is then the
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
const LOCKED_VOICE_WORDS: Pair<string> = {
  A: 'Tu as deviné, avoue.',
  B: 'Prends ton temps, assieds-toi et respire.',
}
const LOCKED_ALBUM_CAPTIONS: Pair<readonly string[]> = {
  A: ['Choisie à Lisbonne'],
  B: ['Sans un mot de plus', 'Le dernier jour', 'Et la suite, ailleurs'],
}
/** What a locked letter is written on, and with. */
export const LOCKED_STATIONERY: Pair<Stationery> = {
  A: { paper: 'laid', ink: 'blue' },
  B: { paper: 'kraft', ink: 'black' },
}
/** What an author adds to the mail of an opening. */
const LOCKED_NOTES: Pair<string> = {
  A: 'Assieds-toi d’abord.',
  B: 'Lis-la seule, puis appelle-moi : je t’attends près du téléphone.',
}
/** What the person a letter is for and its author write to each other. */
const REPLIES: Pair<string> = {
  A: 'Je le savais depuis Lisbonne.',
  B: 'Merci, et à dimanche : viens avec la petite, elle te réclame.',
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

/** The typed words of the voice that plays as a seal breaks. */
export function lockedVoiceWords(world: WorldName): string {
  return LOCKED_VOICE_WORDS[world]
}

export function lockedNote(world: WorldName): string {
  return LOCKED_NOTES[world]
}

/** Of the files of a locked letter: one in A, three in B. */
export function lockedAlbumCaptions(world: WorldName): readonly string[] {
  return LOCKED_ALBUM_CAPTIONS[world]
}

/** What is said in a locked film. */
export function lockedCaptions(world: WorldName): string {
  return `WEBVTT\n\n00:00.000 --> 00:01.000\n${LOCKED_VOICE_WORDS[world]}`
}

export function replyWords(world: WorldName): string {
  return REPLIES[world]
}

/** Without its extension. */
function lockedName(world: WorldName, pick: number): string {
  return pickFrom(LOCKED_NAMES[world], pick)
}

function sharedName(pick: number): string {
  return pickFrom(SHARED_NAMES, pick)
}

export function titleOf(pick: number): string {
  return `Révélation n° ${pick} : ${pickFrom(COMMON_WORDS, pick)}`
}

/** Words to search for: those of titles and open letters, and some of locked letters and file names alone. */
export const SEARCHED_WORDS = [...COMMON_WORDS, 'juin', 'défaite', 'bague', 'échographie']

/** Every text that is or was locked somewhere. */
export const GUESSED_TEXTS = [
  ...LOCKED_LETTERS.A,
  ...LOCKED_LETTERS.B,
  ...LOCKED_NAMES.A,
  ...LOCKED_NAMES.B,
  ...Object.values(LOCKED_ALBUM_CAPTIONS).flat(),
  ...Object.values(LOCKED_VOICE_WORDS),
  ...Object.values(LOCKED_NOTES),
  ...Object.values(REPLIES),
]

/** A window of which both worlds' videos show the same, well inside what they share. */
export const TEASERS = [
  { teaser_start: 1.2, teaser_end: 2.8 },
  { teaser_start: 1.4, teaser_end: 2.4 },
] as const

// Seconds 1 and 2 are alike in both worlds; what surrounds them and the length are not.
const PALETTES: Pair<number[]> = { A: [0, 1, 2, 3], B: [4, 1, 2, 5, 6] }
const SECONDS: Pair<number> = { A: 1, B: 2 }
const SIDES: Pair<readonly number[]> = { A: [40], B: [64, 20] }
const WIDEST = 90

/** A file that is locked: of the same type in both worlds, with other bytes, another length and another name. */
export async function lockedFile(
  world: WorldName,
  kind: FileType,
  pick: number,
): Promise<FileToSend> {
  const name = lockedName(world, pick)
  const side = SIDES[world][pick % SIDES[world].length] ?? WIDEST
  return fileOf(kind, name, { side, seconds: SECONDS[world], palette: PALETTES[world] })
}

/** A file that is the same in both worlds. */
export async function sharedFile(kind: FileType, pick: number): Promise<FileToSend> {
  return fileOf(kind, sharedName(pick), { side: WIDEST, seconds: 3, palette: [7, 1, 2] })
}

async function fileOf(
  kind: FileType,
  name: string,
  sample: { side: number; seconds: number; palette: number[] },
): Promise<FileToSend> {
  switch (kind) {
    case 'document': {
      const bytes = Buffer.concat([pdf(), Buffer.from(`% ${name} ${'.'.repeat(sample.side)}\n`)])
      return { bytes, name: `${name}.pdf`, type: 'application/pdf', folder: 'documents' }
    }
    case 'image': {
      const bytes = await picture('jpeg', sample.side, 30)
      return { bytes, name: `${name}.jpg`, type: 'image/jpeg', folder: 'images' }
    }
    case 'audio': {
      const bytes = await toneAudio('mp3', sample.seconds)
      return { bytes, name: `${name}.mp3`, type: 'audio/mpeg', folder: 'audio' }
    }
    case 'video': {
      const { palette } = sample
      const bytes = await colourVideo({ seconds: palette.length, fps: 10, size: '64x36', palette })
      const fields = { teaserStart: '1.2', teaserEnd: '2.8' }
      return { bytes, name: `${name}.mp4`, type: 'video/mp4', folder: 'videos', fields }
    }
  }
}
