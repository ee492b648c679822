import { instantInWords } from '#contract/date-in-words.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { initialOf, oneLine } from '#server/platform/mail/mail-words.ts'

/** What this mail may say of a sound; nothing of what is heard, nor what it is about. */
interface Facts {
  title: string
  authorPseudo: string
  /** null for what never was sealed. */
  scheduledAt: Date | null
  timeZone: string
}

/** Somebody of one’s circle left a message for one alone, and it can be listened to. */
export function soundOpenEmail(
  facts: Facts,
  { to, pageUrl }: { to: string; pageUrl: string },
): ComposedMail {
  const from = `@${facts.authorPseudo}`
  const { scheduledAt, timeZone } = facts
  return {
    to,
    stops: 'revelationRevealed',
    subject: scheduledAt
      ? `Le message vocal de ${from} est ouvert`
      : `${from} vous a laissé un message vocal`,
    preview: scheduledAt
      ? 'Le moment choisi est venu. Vous pouvez l’écouter.'
      : 'Vous pouvez l’écouter dès maintenant.',
    sky: 'dawn',
    initial: initialOf(facts.authorPseudo),
    heading: scheduledAt ? 'Le moment est venu' : 'Une voix pour vous',
    blocks: [
      {
        kind: 'text',
        text: scheduledAt
          ? `Le message vocal que ${from} avait scellé pour vous s’est ouvert.`
          : `${from} vous a laissé un message vocal, rien que pour vous.`,
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [
          `De ${from}`,
          ...(scheduledAt ? [`Ouvert le ${instantInWords(scheduledAt, timeZone)}`] : []),
        ],
      },
      { kind: 'button', label: 'Écouter le message', url: pageUrl },
    ],
    footer: [`Vous recevez ce mail parce que ${from} fait partie de votre cercle sur Révélations.`],
  }
}
