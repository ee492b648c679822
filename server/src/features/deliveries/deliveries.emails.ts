import { dayInWords, instantInWords } from '#contract/date-in-words.ts'
import { KIND_NOUNS } from '#contract/kinds.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { maskEmail } from '#server/platform/mail/email-address.ts'
import { initialOf, listInWords, oneLine } from '#server/platform/mail/mail-content.ts'
import type { DeliveryFacts } from './deliveries.rules.ts'

export const WHY_OWN =
  'Vous recevez cet e-mail parce que vous avez indiqué votre propre adresse en scellant cette lettre.'

const WHY_AUTHOR = 'Vous recevez cet e-mail parce que vous avez scellé cette lettre.'

/** A recipient as their author calls them, else by what their address shows of itself. */
export function calledName({ name, address }: { name: string | null; address: string }): string {
  return name ?? maskEmail(address)
}

export function whyFrom(from: string): string {
  return `Vous recevez cet e-mail parce que ${from} a indiqué votre adresse comme destinataire d’une lettre.`
}

/** What the author adds to a mail that they cause: their name as the sender, and a note. */
interface Words {
  person: NonNullable<ComposedMail['person']>
  note: string | null
}

function noteOf({ note }: Words, from: string): ComposedMail['blocks'] {
  return note === null ? [] : [{ kind: 'note', from, words: note }]
}

/** At the reveal: the personal link, to the recipient. */
export function deliveryEmail(
  facts: DeliveryFacts,
  { personalLink, ...words }: Words & { personalLink: string },
): ComposedMail {
  const from = `@${facts.authorPseudo}`
  const isOwn = facts.addressKey === facts.authorEmailKey
  const sealedOn = dayInWords(facts.sealedAt, facts.timeZone)
  const { noun } = isOwn ? ownNounsOf(facts) : KIND_NOUNS[facts.kind]
  return {
    to: facts.address,
    stops: 'everything',
    ...(isOwn ? {} : { revelationId: facts.revelationId, person: words.person }),
    isWitness: true,
    subject: isOwn ? ownSubjectOf(facts) : `Une ${noun} pour vous s’est ouverte`,
    preview: isOwn
      ? 'Elle attendait ce moment. Vous pouvez la lire.'
      : `${from} l’avait scellée pour aujourd’hui. Vous pouvez la lire, sans compte.`,
    sky: 'dawn',
    initial: initialOf(facts.authorPseudo),
    heading: 'Le moment est venu',
    blocks: [
      {
        kind: 'text',
        text: isOwn
          ? `Vous avez scellé cette ${noun} le ${sealedOn}, pour vous. Elle s’est ouverte.`
          : `${from} a scellé cette ${noun} pour vous le ${sealedOn}. Elle s’est ouverte.`,
      },
      ...noteOf(words, from),
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [
          ...(isOwn ? [] : [`De ${from}`]),
          `Ouverte le ${instantInWords(facts.revealAt, facts.timeZone)}`,
        ],
      },
      { kind: 'button', label: 'Lire la lettre', url: personalLink },
      {
        kind: 'small',
        text: 'Ce lien est personnel : il ouvre cette lettre sans compte ni mot de passe, autant de fois que vous voulez. Gardez-le pour vous, comme une lettre.',
      },
    ],
    footer: isOwn ? [WHY_OWN] : [whyFrom(from)],
  }
}

/** A capsule is a letter to oneself. */
function ownNounsOf({ kind }: DeliveryFacts) {
  return KIND_NOUNS[kind === 'capsule' ? 'letter' : kind]
}

/** What one says to everybody was not written to oneself. */
function ownSubjectOf(facts: DeliveryFacts): string {
  const nouns = ownNounsOf(facts)
  return nouns === KIND_NOUNS.letter
    ? 'La lettre que vous vous étiez écrite s’est ouverte'
    : `Votre ${nouns.noun} s’est ouverte`
}

/** Before the reveal: announces the letter to the recipient, with its author and date. */
export function noticeEmail(
  facts: DeliveryFacts,
  { publicPage, ...words }: Words & { publicPage: string | undefined },
): ComposedMail {
  const from = `@${facts.authorPseudo}`
  const { noun } = KIND_NOUNS[facts.kind]
  return {
    to: facts.address,
    stops: 'everything',
    revelationId: facts.revelationId,
    person: words.person,
    isWitness: true,
    subject: `Une ${noun} pour vous, à ouvrir le ${dayInWords(facts.revealAt, facts.timeZone)}`,
    preview: `${from} l’a scellée pour vous. Il n’y a rien à faire d’ici là.`,
    sky: 'night',
    initial: initialOf(facts.authorPseudo),
    heading: 'Quelque chose vous attend',
    blocks: [
      {
        kind: 'text',
        text: `${from} a scellé une ${noun} pour vous. Avant la date choisie, personne d’autre que son auteur ne peut l’ouvrir sur le site.`,
      },
      ...noteOf(words, from),
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [`De ${from}`, `S’ouvrira le ${instantInWords(facts.revealAt, facts.timeZone)}`],
      },
      {
        kind: 'text',
        text: 'Ce jour-là, un lien personnel arrivera à cette adresse. Il n’y a rien à faire d’ici là, et aucun compte à créer.',
      },
      ...(publicPage
        ? [{ kind: 'button' as const, label: 'Voir le compte à rebours', url: publicPage }]
        : []),
    ],
    footer: [
      whyFrom(from),
      'Vous ne connaissez pas cette personne ? Ignorez simplement cet e-mail.',
    ],
  }
}

/** Confirms to the author what was sealed, until when and for whom, and says what happens then. */
export function sealedEmail(
  facts: DeliveryFacts,
  { page, recipients }: { page: string; recipients: readonly string[] },
): ComposedMail {
  const isOwn = facts.addressKey === facts.authorEmailKey && recipients.length === 1
  return {
    to: facts.authorEmail,
    stops: 'emailNotifications',
    isWitness: true,
    subject: 'Votre révélation est scellée',
    preview: `Elle s’ouvrira le ${instantInWords(facts.revealAt, facts.timeZone)}.`,
    sky: 'night',
    initial: initialOf(facts.authorPseudo),
    heading: 'C’est scellé',
    blocks: [
      {
        kind: 'text',
        text: 'Avant la date choisie, personne d’autre que vous ne peut ouvrir le contenu sur le site.',
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [
          isOwn ? 'Pour vous' : `Pour ${listInWords(recipients)}`,
          `S’ouvrira le ${instantInWords(facts.revealAt, facts.timeZone)}`,
        ],
      },
      { kind: 'text', text: 'Ce qui se passera ensuite :' },
      {
        kind: 'list',
        items: [
          isOwn
            ? 'À cet instant, un lien personnel partira vers votre adresse.'
            : 'À cet instant, un lien personnel partira vers chaque destinataire, qui pourra lire sans compte.',
          'Si l’e-mail n’arrive pas, nous réessaierons pendant trois jours, puis nous vous le dirons.',
          'D’ici là, vous pouvez la modifier, changer de destinataire ou la supprimer.',
        ],
      },
      { kind: 'button', label: 'Voir la révélation', url: page },
    ],
    footer: [WHY_AUTHOR],
  }
}

/** Tells the author that the letter left, to whom and when. */
export function deliveredEmail(
  facts: DeliveryFacts,
  { page, recipients, sentAt }: { page: string; recipients: readonly string[]; sentAt: Date },
): ComposedMail {
  return {
    to: facts.authorEmail,
    stops: 'emailNotifications',
    subject: 'Votre lettre a été remise',
    preview:
      recipients.length > 1
        ? 'Les liens personnels sont partis vers ses destinataires.'
        : 'Le lien personnel est parti vers son destinataire.',
    sky: 'dawn',
    initial: initialOf(facts.authorPseudo),
    heading: 'Elle est partie',
    blocks: [
      {
        kind: 'text',
        text:
          recipients.length > 1
            ? 'Le moment choisi est venu : chacun reçoit un lien personnel, remis à sa messagerie.'
            : 'Le moment choisi est venu : le lien personnel a été remis à la messagerie du destinataire.',
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [
          `Pour ${listInWords(recipients)}`,
          `Envoyée le ${instantInWords(sentAt, facts.timeZone)}`,
        ],
      },
      {
        kind: 'text',
        text: 'Sa page vous dira quand elle aura été ouverte.',
      },
      { kind: 'button', label: 'Voir où elle en est', url: page },
    ],
    footer: [WHY_AUTHOR],
  }
}

/** Tells the author that the letter did not arrive, and why; no preference stops it. */
export function failedEmail(
  facts: DeliveryFacts,
  { page, recipient, reason }: { page: string; recipient: string; reason: string },
): ComposedMail {
  return {
    to: facts.authorEmail,
    stops: 'nothing',
    subject: 'Votre lettre n’a pas pu être remise',
    preview: reason,
    sky: 'night',
    initial: initialOf(facts.authorPseudo),
    heading: 'Elle n’est pas arrivée',
    blocks: [
      {
        kind: 'text',
        text: 'Le moment choisi est venu, mais l’e-mail n’a pas pu être remis à son destinataire.',
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [`Pour ${recipient}`, reason],
      },
      {
        kind: 'text',
        text: 'Vous pouvez corriger l’adresse : l’e-mail repartira aussitôt. Ou donner le lien de la page à qui peut déjà la voir.',
      },
      { kind: 'button', label: 'Corriger l’adresse', url: page },
    ],
    footer: [WHY_AUTHOR],
  }
}
