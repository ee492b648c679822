import { instantInWords } from '#contract/date-in-words.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { initialOf, oneLine } from '#server/platform/mail/mail-content.ts'

interface Facts {
  to: string
  stops: ComposedMail['stops']
  pageUrl: string
  /** Undefined when the reader is the author. */
  revelationId: string | undefined
  title: string
  authorPseudo: string
  revealAt: Date
  timeZone: string
}

/** It opens within a day. */
export function dayBeforeEmail(facts: Facts): ComposedMail {
  const instant = instantInWords(facts.revealAt, facts.timeZone)
  return {
    ...frameOf(facts),
    subject: `Rappel : ${nameOf(facts)} s’ouvre bientôt`,
    preview: `Elle s’ouvrira le ${instant}.`,
    sky: 'night',
    heading: 'Plus qu’un jour',
    blocks: [
      { kind: 'text', text: 'Vous nous avez demandé de vous le rappeler : le moment approche.' },
      envelopeOf(facts, `S’ouvrira le ${instant}`),
      { kind: 'button', label: 'Voir le compte à rebours', url: facts.pageUrl },
    ],
  }
}

/** It is open. */
export function instantEmail(facts: Facts): ComposedMail {
  return {
    ...frameOf(facts),
    subject: `Rappel : ${nameOf(facts)} est ouverte`,
    preview: 'Le moment choisi est venu. Vous pouvez la lire.',
    sky: 'dawn',
    heading: 'Le moment est venu',
    blocks: [
      { kind: 'text', text: 'Vous nous avez demandé de vous le rappeler : la voici ouverte.' },
      envelopeOf(facts, `Ouverte le ${instantInWords(facts.revealAt, facts.timeZone)}`),
      { kind: 'button', label: 'Lire la lettre', url: facts.pageUrl },
    ],
  }
}

function frameOf({ to, stops, revelationId, authorPseudo }: Facts) {
  return {
    to,
    stops,
    ...(revelationId ? { revelationId } : {}),
    initial: initialOf(authorPseudo),
    footer: [
      'Vous recevez cet e-mail parce que vous avez demandé ce rappel. Il se retire sur la page de la révélation.',
    ],
  }
}

function nameOf({ revelationId, authorPseudo }: Facts): string {
  return revelationId ? `la révélation de @${authorPseudo}` : 'votre révélation'
}

function envelopeOf({ title, revelationId, authorPseudo }: Facts, line: string) {
  return {
    kind: 'envelope' as const,
    title: oneLine(title),
    lines: [...(revelationId ? [`De @${authorPseudo}`] : []), line],
  }
}
