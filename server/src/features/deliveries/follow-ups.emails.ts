import { dayInWords, instantInWords } from '#contract/date-in-words.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { initialOf, oneLine } from '#server/platform/mail/mail-content.ts'
import { WHY_OWN, whyFrom } from './deliveries.emails.ts'
import type { DeliveryFacts } from './deliveries.rules.ts'
import type { SilentDelivery } from './follow-ups.repository.ts'

/** To the addressee of a letter that nobody opened, 7 and 60 days after it left: the same link again. */
export function followUpEmail(
  facts: DeliveryFacts,
  { personalLink, number }: { personalLink: string; number: 1 | 2 },
): ComposedMail {
  const from = `@${facts.authorPseudo}`
  const isOwn = facts.addressKey === facts.authorEmailKey
  const sealedOn = dayInWords(facts.sealedAt, facts.timeZone)
  return {
    to: facts.address,
    stops: 'everything',
    ...(isOwn ? {} : { revelationId: facts.revelationId }),
    subject: isOwn
      ? 'Votre lettre à vous-même vous attend'
      : `La lettre de ${from} vous attend toujours`,
    preview: 'Elle est encore fermée. Son lien est le même.',
    sky: 'dawn',
    initial: initialOf(facts.authorPseudo),
    heading: 'Elle vous attend',
    blocks: [
      {
        kind: 'text',
        text: isOwn
          ? `Le ${sealedOn}, vous avez scellé une lettre pour vous. Son moment est venu, et elle n’a pas encore été ouverte.`
          : `Le ${sealedOn}, ${from} a scellé une lettre pour vous. Son moment est venu, et elle n’a pas encore été ouverte.`,
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [
          ...(isOwn ? [] : [`De ${from}`]),
          `À lire depuis le ${instantInWords(facts.revealAt, facts.timeZone)}`,
        ],
      },
      { kind: 'button', label: 'Lire la lettre', url: personalLink },
      {
        kind: 'small',
        text:
          number === 1
            ? 'Rien ne presse : ce lien est le même que la première fois, et il reste le vôtre. Nous vous la rappellerons une fois encore, dans quelques semaines.'
            : 'Rien ne presse : ce lien est le même que la première fois, et il reste le vôtre. Nous ne vous rappellerons plus cette lettre.',
      },
    ],
    footer: [isOwn ? WHY_OWN : whyFrom(from)],
  }
}

/**
 * To the author of a letter of whose opening nothing is known. It says no more than the journal does, and says so: whoever
 * opened it quietly is not betrayed by what it says, nor by its absence.
 */
export function unopenedEmail(
  facts: DeliveryFacts,
  {
    page,
    recipients,
  }: { page: string; recipients: readonly (SilentDelivery & { name: string })[] },
): ComposedMail {
  return {
    to: facts.authorEmail,
    stops: 'emailNotifications',
    subject: 'Aucune nouvelle de votre lettre',
    preview: 'Rien ne dit qu’elle a été ouverte. Vous pouvez la redonner.',
    sky: 'dawn',
    initial: initialOf(facts.authorPseudo),
    heading: 'Aucune nouvelle d’elle',
    blocks: [
      {
        kind: 'text',
        text: 'Votre lettre est partie, et rien ne dit depuis qu’elle a été ouverte.',
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: recipients.map(
          ({ name, sentAt }) => `Pour ${name}, partie le ${dayInWords(sentAt, facts.timeZone)}`,
        ),
      },
      {
        kind: 'text',
        text: 'Elle a pu être ouverte sans que vous en soyez averti, comme chacun peut le choisir : cet e-mail vous serait alors parvenu de même. Elle a pu aussi se perdre. Vous pouvez :',
      },
      {
        kind: 'list',
        items: [
          'renvoyer le lien à la même adresse ;',
          'l’envoyer à une autre adresse ;',
          'la remettre en mains propres : un lien à copier, ou une carte à imprimer.',
        ],
      },
      { kind: 'button', label: 'Choisir', url: page },
    ],
    footer: ['Vous recevez cet e-mail parce que vous avez scellé cette lettre.'],
  }
}
