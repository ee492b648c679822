import { instantInWords } from '#contract/date-in-words.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { initialOf, oneLine } from '#server/platform/mail/mail-words.ts'
import type { DeliveryFacts } from './deliveries.rules.ts'

const WHY = 'Vous recevez ce mail parce que vous avez scellé cette révélation.'

/** What was sealed, until when, for whom, and what happens then. */
export function sealedEmail(
  facts: DeliveryFacts,
  { page, addressees }: { page: string; addressees: readonly string[] },
): ComposedMail {
  const isOwn = facts.addressKey === facts.authorEmailKey && addressees.length === 1
  return {
    to: facts.authorEmail,
    stops: 'emailNotifications',
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
          isOwn ? 'Pour vous' : `Pour ${addressees.join(' et ')}`,
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
          'Si le mail n’arrive pas, nous réessaierons pendant trois jours, puis nous vous le dirons.',
          'D’ici là, vous pouvez la modifier, changer de destinataire ou la supprimer.',
        ],
      },
      { kind: 'button', label: 'Voir la révélation', url: page },
    ],
    footer: [WHY],
  }
}

/** That it left, to whom and when. */
export function deliveredEmail(
  facts: DeliveryFacts,
  { page, addressee, sentAt }: { page: string; addressee: string; sentAt: Date },
): ComposedMail {
  return {
    to: facts.authorEmail,
    stops: 'emailNotifications',
    subject: 'Votre révélation a été remise',
    preview: 'Le lien personnel est parti vers son destinataire.',
    sky: 'dawn',
    initial: initialOf(facts.authorPseudo),
    heading: 'Elle est partie',
    blocks: [
      {
        kind: 'text',
        text: 'Le moment choisi est venu : le lien personnel a été remis à la messagerie du destinataire.',
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [`Pour ${addressee}`, `Envoyée le ${instantInWords(sentAt, facts.timeZone)}`],
      },
      {
        kind: 'text',
        text: 'Le journal de la révélation vous dira quand elle aura été ouverte.',
      },
      { kind: 'button', label: 'Voir le journal', url: page },
    ],
    footer: [WHY],
  }
}

/** That it did not arrive, why, and what can be done. Told whatever the preferences are. */
export function failedEmail(
  facts: DeliveryFacts,
  { page, addressee, reason }: { page: string; addressee: string; reason: string },
): ComposedMail {
  return {
    to: facts.authorEmail,
    stops: 'nothing',
    subject: 'Votre révélation n’a pas pu être remise',
    preview: reason,
    sky: 'night',
    initial: initialOf(facts.authorPseudo),
    heading: 'Elle n’est pas arrivée',
    blocks: [
      {
        kind: 'text',
        text: 'Le moment choisi est venu, mais le mail n’a pas pu être remis à son destinataire.',
      },
      {
        kind: 'envelope',
        title: oneLine(facts.title),
        lines: [`Pour ${addressee}`, reason],
      },
      {
        kind: 'text',
        text: 'Vous pouvez corriger l’adresse : le mail repartira aussitôt. Ou donner le lien de la page à qui peut déjà la voir.',
      },
      { kind: 'button', label: 'Corriger l’adresse', url: page },
    ],
    footer: [WHY],
  }
}
