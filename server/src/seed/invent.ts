import { EMOJIS } from '#contract/reactions.ts'
import type { Category } from '#contract/revelations.ts'
import type { CopyValue } from './copy-rows.ts'
import type { Random } from './random.ts'

interface Item {
  id: string
  visibility: string
  createdAt: Date
  revealAt: Date
  isRevealed: boolean
}

export interface Talk {
  /** Rows for COPY: revelation, author, emoji, instant. */
  reactions: CopyValue[][]
  /** Rows for COPY: id, revelation, author, content, instant. */
  comments: CopyValue[][]
}

/** The number of revelations with reactions and comments, however many are seeded. */
const TALKED_ABOUT = 20_000
const MOST_REACTIONS = 9
const MOST_COMMENTS = 6

/** Reactions and comments under a public revelation; under most of them if few are seeded. */
export function inventTalk(
  random: Random,
  people: readonly { id: string }[],
  item: Item,
  total: number,
  now: Date,
): Talk {
  const isTalkedAbout = random.next() < TALKED_ABOUT / total
  if (item.visibility !== 'public' || !isTalkedAbout) return { reactions: [], comments: [] }
  const randomInstant = () => {
    const since = item.createdAt.getTime()
    return new Date(since + random.below(Math.max(1, now.getTime() - since)))
  }
  const reactions = new Map<string, CopyValue[]>()
  for (let left = random.below(MOST_REACTIONS + 1); left > 0; left -= 1) {
    const author = random.pick(people)
    // The first emoji are the most frequent.
    const emoji = EMOJIS[Math.min(random.below(EMOJIS.length), random.below(EMOJIS.length))] ?? '❤️'
    reactions.set(`${author.id}/${emoji}`, [item.id, author.id, emoji, randomInstant()])
  }
  const comments = Array.from({ length: random.below(MOST_COMMENTS + 1) }, () => {
    const writtenAt = randomInstant()
    const isOpen = item.isRevealed && writtenAt >= item.revealAt
    return [
      random.uuid(),
      item.id,
      random.pick(people).id,
      inventComment(random, isOpen),
      writtenAt,
    ]
  })
  return { reactions: [...reactions.values()], comments }
}

interface Person {
  id: string
  createdAt: Date
}

type Row = readonly CopyValue[]

/** Relates everybody to the next person, and the first account, for signing in, to more people. */
export function* inventRelationships(random: Random, people: readonly Person[]): Generator<Row> {
  for (const [index, person] of people.entries()) {
    for (const step of index === 0 ? [1, 2, 3, 4, 5] : [1]) {
      const other = people[index + step]
      const [low, high] = [person.id, other?.id ?? ''].sort()
      if (other && low && high)
        yield [low, high, random.pick(['friend', 'family']), other.createdAt]
    }
  }
}

/** Requests to people further on; the first account has received and sent ones. */
export function* inventRequests(
  random: Random,
  people: readonly Person[],
  now: Date,
): Generator<Row> {
  for (const [index, sender] of people.entries()) {
    const receiver = people[receiverOf(index)]
    if (!receiver || (index > 10 && random.below(3) > 0)) continue
    const sentAt = new Date(now.getTime() - random.below(7 * 86_400_000))
    const type = random.pick(['friend', 'family'])
    yield [sender.id, receiver.id, type, random.below(2) ? inventPlea(random) : '', sentAt]
  }
}

/** Never a neighbour, who is related already. */
function receiverOf(index: number): number {
  return index >= 6 && index <= 9 ? 0 : index + 10
}

const FIRST = [
  'Brume',
  'Lueur',
  'Marée',
  'Plume',
  'Écume',
  'Comète',
  'Sente',
  'Aurore',
  'Cime',
  'Ombre',
]
const SECOND = [
  'agile',
  'douce',
  'rêveuse',
  'vive',
  'secrète',
  'lente',
  'franche',
  'claire',
  'fidèle',
  'rare',
]

const TITLES: Record<Category, readonly string[]> = {
  general: [
    'Ce que je crois savoir',
    'À ouvrir ensemble',
    'Une chose à vous dire',
    'La réponse est ici',
  ],
  love: ['Pour nos dix ans', 'Ce que je n’ai jamais osé dire', 'Une lettre avant le oui'],
  family: ['Le prénom est choisi', 'La recette de la maison bleue', 'Pour tes dix-huit ans'],
  personal: [
    'À moi, dans un an',
    'Trois promesses que je me fais',
    'Ce que j’espère avoir compris',
  ],
  work: ['Je change de métier', 'Le nom du produit', 'Ce que sera l’équipe dans un an'],
  entertainment: ['Qui gagnera la finale', 'La fin de la saison, devinée', 'Le film de l’année'],
  secrets: ['Où la clé était cachée', 'La vérité sur le gâteau', 'Le trésor du grenier'],
  surprises: ['La destination est…', 'Ne réservez rien ce jour-là', 'Le cadeau commun'],
  projects: ['Le plan du potager', 'Notre tour en train', 'La boutique ouvrira'],
  travel: ['Carte postale à retardement', 'Là où je serai', 'Vingt jours sans téléphone'],
}

const OPENINGS = [
  'Quand vous lirez ceci, tout sera déjà décidé.',
  'J’écris ces lignes un soir de pluie, sans rien avoir dit à personne.',
  'Si je me trompe, gardez cette lettre et riez-en avec moi.',
  'Je voulais que ces mots arrivent à leur heure, pas avant.',
]
const MIDDLES = [
  'J’ai hésité longtemps, puis les choses se sont mises en place d’elles-mêmes.',
  'Je parie que personne autour de la table ne l’a vu venir.',
  'Il y a dans le tiroir du bas une enveloppe qui dit la même chose.',
  'Retenez la date\u202F: elle compte plus que le reste.',
  'Tout a commencé par une phrase entendue dans un train.',
]
const ENDINGS = [
  'Voilà, vous savez tout.',
  'À vous de me dire si j’avais raison.',
  'Je vous embrasse depuis le jour où j’écris.',
  'La suite, nous l’écrirons ensemble.',
]

const GUESSES = [
  'Je parie sur un voyage.',
  'Vivement le grand jour\u202F!',
  'J’ai ma petite idée, mais je me tais.',
  'Je reviens le jour même, c’est noté.',
  'Un indice\u202F? Un tout petit\u202F?',
  'Quel suspense…',
]
const ANSWERS = [
  'Je ne l’avais pas vu venir.',
  'Bravo, vous aviez raison sur toute la ligne.',
  'J’en ai relu chaque phrase.',
  'Merci d’avoir gardé le secret jusqu’au bout.',
  'Ça valait la peine d’attendre\u202F!',
  'Perdu pour moi\u202F: je m’étais trompé d’une semaine.',
]
const PLEAS = [
  'Nous nous sommes croisés à la fête de quartier.',
  'J’aimerais lire vos prochaines lettres.',
  'C’est moi, du train de 7\u00A0h 12.',
]
const BIOS = [
  'J’écris au futur et je relis au passé.',
  'Une lettre par saison, jamais une de plus.',
  'Prévisions modestes, erreurs assumées.',
  'Je scelle surtout des recettes.',
]
const PLACES = ['Namur', 'Liège', 'Bruxelles', 'Mons', 'Tournai', 'Arlon', 'Lyon', 'Nantes']

/** A pseudo that names nobody. */
export function inventPseudo(index: number): string {
  const first = FIRST[index % FIRST.length]
  const second = SECOND[Math.floor(index / FIRST.length) % SECOND.length]
  return `${first}_${second}_${index}`.slice(0, 20)
}

export function inventTitle(random: Random, category: Category, index: number): string {
  return `${random.pick(TITLES[category])} (n°\u00A0${index + 1})`
}

export function inventLetter(random: Random): string {
  const middles = Array.from({ length: 1 + random.below(4) }, () => random.pick(MIDDLES))
  return [random.pick(OPENINGS), ...middles, random.pick(ENDINGS)].join('\n\n')
}

/** What somebody writes under a revelation, before or after it opened. */
function inventComment(random: Random, isOpen: boolean): string {
  return random.pick(isOpen ? ANSWERS : GUESSES)
}

/** What comes with a request. */
function inventPlea(random: Random): string {
  return random.pick(PLEAS)
}

export function inventBio(random: Random): string {
  return random.pick(BIOS)
}

export function inventPlace(random: Random): string {
  return random.pick(PLACES)
}
