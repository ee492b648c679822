import { dayInWords } from '#contract/date-in-words.ts'
import type { DeliveryFacts } from '#server/features/deliveries/deliveries.rules.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { initialOf, oneLine } from '#server/platform/mail/mail-content.ts'

interface ReplyMail {
  from: string
  /** An account that gave its name; an address is not one. */
  person: ComposedMail['person']
  to: string
  pageUrl: string
}

/** To the author: that somebody answered their letter, and who; the words stay on its page. */
export function replyEmail(
  facts: DeliveryFacts,
  { from, person, to, pageUrl }: ReplyMail,
): ComposedMail {
  return {
    to,
    stops: 'newComments',
    ...(person && { person }),
    subject: `${person?.name ?? from} vous a répondu`,
    preview: `À propos de « ${oneLine(facts.title)} ».`,
    sky: 'dawn',
    initial: initialOf(from.replace(/^@/, '')),
    heading: 'Une réponse vous attend',
    blocks: [
      {
        kind: 'text',
        text: `${from} a répondu à votre lettre. Vous êtes la seule personne à pouvoir lire cette réponse.`,
      },
      envelopeOf(facts),
      { kind: 'button', label: 'Lire la réponse', url: pageUrl },
    ],
    footer: ['Vous recevez cet e-mail parce que vous avez scellé cette lettre.'],
  }
}

/** To the addressee who replied: that the author wrote back, with their personal link. */
export function answerEmail(
  facts: DeliveryFacts,
  { personalLink, person }: { personalLink: string; person: ComposedMail['person'] },
): ComposedMail {
  const from = `@${facts.authorPseudo}`
  return {
    to: facts.address,
    stops: 'everything',
    revelationId: facts.revelationId,
    ...(person && { person }),
    subject: `${facts.authorPseudo} vous a répondu`,
    preview: 'Un mot vous attend sous sa lettre.',
    sky: 'dawn',
    initial: initialOf(facts.authorPseudo),
    heading: 'Un mot en retour',
    blocks: [
      { kind: 'text', text: `${from} a lu votre réponse et vous a écrit un mot en retour.` },
      envelopeOf(facts, `De ${from}`),
      { kind: 'button', label: 'Lire le mot', url: personalLink },
      {
        kind: 'small',
        text: 'Ce lien est personnel : il ouvre cette lettre sans compte ni mot de passe. Gardez-le pour vous, comme elle.',
      },
    ],
    footer: [
      `Vous recevez cet e-mail parce que vous avez répondu à une lettre que ${from} vous a adressée.`,
    ],
  }
}

function envelopeOf(facts: DeliveryFacts, ...lines: string[]): ComposedMail['blocks'][number] {
  return {
    kind: 'envelope',
    title: oneLine(facts.title),
    lines: [...lines, `Ouverte le ${dayInWords(facts.revealAt, facts.timeZone)}`],
  }
}
