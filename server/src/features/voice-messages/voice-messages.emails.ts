import { instantInWords } from '#contract/date-in-words.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { initialOf, oneLine } from '#server/platform/mail/mail-content.ts'

/** Facts of the envelope: the mail contains neither the recording nor the description. */
interface Facts {
  title: string
  authorPseudo: string
  /** null when it never was sealed. */
  scheduledAt: Date | null
  timeZone: string
}

/** A private voice message of somebody of the circle is open. */
export function voiceMessageOpenEmail(
  facts: Facts,
  { to, pageUrl }: { to: string; pageUrl: string },
): ComposedMail {
  const from = `@${facts.authorPseudo}`
  const { scheduledAt, timeZone } = facts
  return {
    to,
    stops: 'revelationRevealed',
    person: { name: facts.authorPseudo },
    subject: scheduledAt
      ? `Le message vocal de ${facts.authorPseudo} s’est ouvert`
      : `${facts.authorPseudo} vous a laissé un message vocal`,
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
    footer: [
      `Vous recevez cet e-mail parce que ${from} fait partie de votre cercle sur Révélations.`,
    ],
  }
}
