import { dayInWords, instantInWords } from '#contract/date-in-words.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { counted, initialOf, oneLine } from '#server/platform/mail/mail-content.ts'
import type { Activity } from './activity.service.ts'

/** What these mails may say of a revelation; nothing of its letter. */
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

/** Somebody close has sealed something that its reader will be able to read. */
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
    footer: [whyTied(from)],
  }
}

/** What somebody close had sealed is open. */
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
    footer: [whyTied(from)],
  }
}

/** What others left under one’s own revelation: how many and who, never their words. */
export function activityEmail(
  facts: Facts & { isRevealed: boolean },
  { comments, reactions }: { comments: Activity; reactions: Activity },
  { to, pageUrl }: Addressed,
): ComposedMail {
  const told = [
    { activity: comments, one: 'nouveau commentaire', many: 'nouveaux commentaires' },
    { activity: reactions, one: 'nouvelle réaction', many: 'nouvelles réactions' },
  ].filter(({ activity }) => activity.count > 0)
  const numbers = told
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
      ...told.map(({ activity, one, many }) => ({
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

function whyTied(from: string): string {
  return `Vous recevez ce mail parce que ${from} fait partie de votre cercle sur Révélations.`
}
