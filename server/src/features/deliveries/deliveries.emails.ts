import { dayInWords, instantInWords } from '#contract/date-in-words.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { initialOf, oneLine } from '#server/platform/mail/mail-words.ts'
import type { DeliveryFacts } from './deliveries.rules.ts'

/** At the instant: the way in, for whoever the revelation was sealed for. */
export function deliveryEmail(facts: DeliveryFacts, links: { personalLink: string }): ComposedMail {
  const from = `@${facts.authorPseudo}`
  const isOwn = facts.addressKey === facts.authorEmailKey
  const sealedOn = dayInWords(facts.sealedAt, facts.timeZone)
  return {
    to: facts.address,
    stops: 'everything',
    ...(isOwn ? {} : { revelationId: facts.revelationId }),
    subject: isOwn
      ? 'La révélation que vous vous étiez adressée est ouverte'
      : `${from} vous a laissé une révélation : elle est ouverte`,
    preview: isOwn
      ? 'Elle attendait ce moment. Vous pouvez la lire.'
      : 'Le moment choisi est venu. Vous pouvez la lire, sans compte.',
    sky: 'dawn',
    initial: initialOf(facts.authorPseudo),
    heading: 'Le moment est venu',
    blocks: [
      {
        kind: 'text',
        text: isOwn
          ? `Vous avez scellé cette révélation le ${sealedOn}, pour vous. Elle s’est ouverte.`
          : `${from} a scellé cette révélation pour vous le ${sealedOn}. Elle s’est ouverte.`,
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [
          ...(isOwn ? [] : [`De ${from}`]),
          `Ouverte le ${instantInWords(facts.revealAt, facts.timeZone)}`,
        ],
      },
      { kind: 'button', label: 'Lire la révélation', url: links.personalLink },
      {
        kind: 'small',
        text: 'Ce lien est personnel : il ouvre cette révélation sans compte ni mot de passe, autant de fois que vous voulez. Gardez-le pour vous, comme une lettre.',
      },
    ],
    footer: isOwn ? [WHY_OWN] : [whyFrom(from)],
  }
}

/** Before the instant: that something waits, from whom, and until when. */
export function noticeEmail(
  facts: DeliveryFacts,
  links: { publicPage: string | undefined },
): ComposedMail {
  const from = `@${facts.authorPseudo}`
  return {
    to: facts.address,
    stops: 'everything',
    revelationId: facts.revelationId,
    subject: `${from} a scellé une révélation pour vous`,
    preview: `Elle s’ouvrira le ${dayInWords(facts.revealAt, facts.timeZone)}.`,
    sky: 'night',
    initial: initialOf(facts.authorPseudo),
    heading: 'Quelque chose vous attend',
    blocks: [
      {
        kind: 'text',
        text: `${from} a scellé une révélation pour vous. Avant la date choisie, personne d’autre que son auteur ne peut l’ouvrir sur le site.`,
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [`De ${from}`, `S’ouvrira le ${instantInWords(facts.revealAt, facts.timeZone)}`],
      },
      {
        kind: 'text',
        text: 'Ce jour-là, un lien personnel arrivera à cette adresse. Il n’y a rien à faire d’ici là, et aucun compte à créer.',
      },
      ...(links.publicPage
        ? [{ kind: 'button' as const, label: 'Voir le compte à rebours', url: links.publicPage }]
        : []),
    ],
    footer: [whyFrom(from), 'Vous ne connaissez pas cette personne ? Ignorez simplement ce mail.'],
  }
}

const WHY_OWN =
  'Vous recevez ce mail parce que vous avez indiqué votre propre adresse en scellant cette révélation.'

function whyFrom(from: string): string {
  return `Vous recevez ce mail parce que ${from} a indiqué votre adresse comme destinataire d’une révélation.`
}
