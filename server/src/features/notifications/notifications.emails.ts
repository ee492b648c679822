import { dayInWords, instantInWords } from '#contract/date-in-words.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { counted, initialOf, oneLine } from '#server/platform/mail/mail-content.ts'
import type { Activity } from './notifications.service.ts'

/** What these mails may show of a revelation: nothing of its letter. */
interface Facts {
  id: string
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

/** To those close to the author, who will be able to read it. */
export function newRevelationEmail(facts: Facts, { to, pageUrl }: Addressed): ComposedMail {
  const from = `@${facts.authorPseudo}`
  return {
    to,
    stops: 'newRevelations',
    revelationId: facts.id,
    subject: `${from} a scellé une nouvelle révélation`,
    preview: `Elle s’ouvrira le ${dayInWords(facts.revealAt, facts.timeZone)}.`,
    sky: 'night',
    initial: initialOf(facts.authorPseudo),
    heading: 'Une nouvelle révélation vous attend',
    blocks: [
      {
        kind: 'text',
        text: `${from} vient de sceller une révélation. Vous pourrez la lire le moment venu.`,
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
  return {
    to,
    stops: 'revelationRevealed',
    revelationId: facts.id,
    subject: `La révélation de ${from} est ouverte`,
    preview: 'Le moment choisi est venu. Vous pouvez la lire.',
    sky: 'dawn',
    initial: initialOf(facts.authorPseudo),
    heading: 'Le moment est venu',
    blocks: [
      {
        kind: 'text',
        text: `La révélation que ${from} a scellée le ${dayInWords(facts.createdAt, facts.timeZone)} s’est ouverte.`,
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [`De ${from}`, `Ouverte le ${instantInWords(facts.revealAt, facts.timeZone)}`],
      },
      { kind: 'button', label: 'Lire la révélation', url: pageUrl },
    ],
    footer: [reasonOf(from)],
  }
}

/** To the author: how many comments and reactions others left and who they are, never the text. */
export function activityEmail(
  facts: Facts & { isRevealed: boolean },
  { comments, reactions }: { comments: Activity; reactions: Activity },
  { to, pageUrl }: Addressed,
): ComposedMail {
  const parts = [
    { activity: comments, one: 'nouveau commentaire', many: 'nouveaux commentaires' },
    { activity: reactions, one: 'nouvelle réaction', many: 'nouvelles réactions' },
  ].filter(({ activity }) => activity.count > 0)
  const numbers = parts
    .map(({ activity, one, many }) => counted(activity.count, one, many))
    .join(' et ')
  return {
    to,
    stops:
      reactions.count === 0 ? 'newComments' : comments.count === 0 ? 'newReactions' : 'activity',
    subject: `${numbers} sous votre révélation`,
    preview: `Sous « ${oneLine(facts.title)} ».`,
    sky: facts.isRevealed ? 'dawn' : 'night',
    initial: initialOf(facts.authorPseudo),
    heading: 'On parle de votre révélation',
    blocks: [
      ...parts.map(({ activity, one, many }) => ({
        kind: 'text' as const,
        text: `${counted(activity.count, one, many)} ${namesOf(activity)}.`,
      })),
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [
          `${facts.isRevealed ? 'Ouverte' : 'S’ouvrira'} le ${instantInWords(facts.revealAt, facts.timeZone)}`,
        ],
      },
      { kind: 'button', label: 'Voir ce qui se dit', url: pageUrl },
    ],
    footer: ['Vous recevez ce mail parce que vous avez scellé cette révélation.'],
  }
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
  return `Vous recevez ce mail parce que ${from} fait partie de votre cercle sur Révélations.`
}
