import { dayInWords, instantInWords } from '#contract/date-in-words.ts'
import { KIND_NOUNS, type Kind } from '#contract/kinds.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { capitalized, counted, initialOf, oneLine } from '#server/platform/mail/mail-content.ts'
import type { Activity } from './notifications.repository.ts'

/** What these mails may show of a revelation: nothing of its letter. */
interface Facts {
  id: string
  kind: Kind
  title: string
  authorPseudo: string
  revealAt: Date
  timeZone: string
  createdAt: Date
}

interface Addressed {
  to: string
  pageUrl: string
}

/** To many a letter is a revelation, unless its author said that it is something else. */
function nounsOf({ kind }: Facts): { noun: string; the: string } {
  const isPlain = kind === 'letter' || kind === 'capsule'
  return isPlain ? { noun: 'révélation', the: 'la révélation' } : KIND_NOUNS[kind]
}

/** To those close to the author, who will be able to read it. */
export function newRevelationEmail(facts: Facts, { to, pageUrl }: Addressed): ComposedMail {
  const from = `@${facts.authorPseudo}`
  const { noun } = nounsOf(facts)
  return {
    to,
    stops: 'newRevelations',
    revelationId: facts.id,
    person: { name: facts.authorPseudo },
    subject: `${facts.authorPseudo} a scellé une nouvelle ${noun}`,
    preview: `Elle s’ouvrira le ${dayInWords(facts.revealAt, facts.timeZone)}.`,
    sky: 'night',
    initial: initialOf(facts.authorPseudo),
    heading: `Une nouvelle ${noun} vous attend`,
    blocks: [
      {
        kind: 'text',
        text: `${from} vient de sceller une ${noun}. Vous pourrez la lire le moment venu.`,
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [`De ${from}`, `S’ouvrira le ${instantInWords(facts.revealAt, facts.timeZone)}`],
      },
      { kind: 'button', label: 'Voir le compte à rebours', url: pageUrl },
    ],
    footer: [reasonOf(from)],
  }
}

/** To those close to the author, who can read it. */
export function revealedEmail(facts: Facts, { to, pageUrl }: Addressed): ComposedMail {
  const from = `@${facts.authorPseudo}`
  const the = capitalized(nounsOf(facts).the)
  return {
    to,
    stops: 'revelationRevealed',
    revelationId: facts.id,
    person: { name: facts.authorPseudo },
    subject: `${the} de ${facts.authorPseudo} s’est ouverte`,
    preview: 'Le moment choisi est venu. Vous pouvez la lire.',
    sky: 'dawn',
    initial: initialOf(facts.authorPseudo),
    heading: 'Le moment est venu',
    blocks: [
      {
        kind: 'text',
        text: `${the} que ${from} a scellée le ${dayInWords(facts.createdAt, facts.timeZone)} s’est ouverte.`,
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [`De ${from}`, `Ouverte le ${instantInWords(facts.revealAt, facts.timeZone)}`],
      },
      { kind: 'button', label: 'Lire la lettre', url: pageUrl },
    ],
    footer: [reasonOf(from)],
  }
}

/** What others left under one letter of the author. */
interface LetterNews extends Facts {
  pageUrl: string
  isRevealed: boolean
  comments: Activity
  reactions: Activity
}

const SHOWN_LETTERS = 10

/** To the author, once a day: how many comments and reactions others left and who they are, never the text. */
export function activityEmail(
  letters: readonly LetterNews[],
  { to, initial, pageUrl }: Addressed & { initial: string },
): ComposedMail {
  const [only] = letters
  const sum = (of: 'comments' | 'reactions') =>
    letters.reduce((total, letter) => total + letter[of].count, 0)
  const [comments, reactions] = [sum('comments'), sum('reactions')]
  const numbers = partsOf(comments, reactions).join(' et ')
  const shown = letters.slice(0, SHOWN_LETTERS)
  const others = letters.length - shown.length
  return {
    to,
    stops: reactions === 0 ? 'newComments' : comments === 0 ? 'newReactions' : 'activity',
    subject: `${numbers} sous ${letters.length > 1 ? `${letters.length} de vos révélations` : 'votre révélation'}`,
    preview:
      letters.length > 1
        ? 'Ce qui s’est dit depuis hier.'
        : `Sous « ${oneLine(only?.title ?? '')} ».`,
    sky: letters.some(({ isRevealed }) => isRevealed) ? 'dawn' : 'night',
    initial: initialOf(initial),
    heading: letters.length > 1 ? 'On parle de vos révélations' : 'On parle de votre révélation',
    blocks: [
      ...shown.map((letter) => ({
        kind: 'envelope' as const,
        title: oneLine(letter.title),
        lines: linesOf(letter),
      })),
      ...(others > 0
        ? [{ kind: 'text' as const, text: `Et sous ${counted(others, 'autre', 'autres')}.` }]
        : []),
      {
        kind: 'button',
        label: 'Voir ce qui se dit',
        url: letters.length === 1 ? (only?.pageUrl ?? pageUrl) : pageUrl,
      },
    ],
    footer: [
      'Vous recevez cet e-mail, une fois par jour au plus, parce que vous avez scellé ce dont on parle.',
    ],
  }
}

function partsOf(comments: number, reactions: number): string[] {
  return [
    ...(comments > 0 ? [counted(comments, 'nouveau commentaire', 'nouveaux commentaires')] : []),
    ...(reactions > 0 ? [counted(reactions, 'nouvelle réaction', 'nouvelles réactions')] : []),
  ]
}

function linesOf({ comments, reactions, isRevealed, revealAt, timeZone }: LetterNews): string[] {
  const opens = `${isRevealed ? 'Ouverte' : 'S’ouvrira'} le ${instantInWords(revealAt, timeZone)}`
  return [
    ...partsOf(comments.count, 0).map((part) => `${part} ${namesOf(comments)}.`),
    ...partsOf(0, reactions.count).map((part) => `${part} ${namesOf(reactions)}.`),
    opens,
  ]
}

/** « de @alice, @bruno et 3 autres personnes ». */
function namesOf({ pseudos, people }: Activity): string {
  const names = pseudos.map((pseudo) => `@${pseudo}`)
  const others = people - names.length
  if (others > 0) names.push(counted(others, 'autre personne', 'autres personnes'))
  const last = names.pop() ?? ''
  return names.length === 0 ? `de ${last}` : `de ${names.join(', ')} et ${last}`
}

function reasonOf(from: string): string {
  return `Vous recevez cet e-mail parce que ${from} fait partie de votre cercle sur Révélations.`
}
