import { instantInWords } from '#contract/date-in-words.ts'
import { DEFAULT_TIME_ZONE } from '#contract/sealing.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'

/** The reader of a mail about an account. */
export interface Recipient {
  to: string
  pseudo: string
  /** The reader of an unproved address may have nothing to do with the account, and may stop its mails. */
  isProved: boolean
}

/** A mail about the safety of an account. */
function accountMail(
  { to, isProved }: Recipient,
  content: Pick<ComposedMail, 'subject' | 'preview' | 'heading' | 'blocks' | 'footer'>,
): ComposedMail {
  return { ...content, to, stops: isProved ? 'nothing' : 'everything', sky: 'night', initial: 'R' }
}

function text(words: string): ComposedMail['blocks'][number] {
  return { kind: 'text', text: words }
}

function button(label: string, url: string): ComposedMail['blocks'][number] {
  return { kind: 'button', label, url }
}

function onceUntil(expiresAt: Date): ComposedMail['blocks'][number] {
  return {
    kind: 'small',
    text: `Ce lien sert une seule fois, jusqu’au ${inWords(expiresAt)}.`,
  }
}

// The time zone of a person is known from their revelations alone.
function inWords(instant: Date): string {
  return instantInWords(instant, DEFAULT_TIME_ZONE)
}

const WHY_ACCOUNT =
  'Vous recevez cet e-mail parce qu’il concerne la sécurité de votre compte Révélations.'

/** Anybody may have entered the address of somebody else: its reader learns how to refuse. */
function whyAddress({ pseudo }: Recipient): string[] {
  return [
    `Vous recevez cet e-mail parce que cette adresse a été donnée pour le compte @${pseudo} de Révélations.`,
    'Vous ne connaissez pas ce compte ? Ne confirmez rien : ouvrez le lien et choisissez « Ce n’est pas mon compte ».',
  ]
}

export function verificationEmail(
  recipient: Recipient,
  link: { url: string; expiresAt: Date },
): ComposedMail {
  return accountMail(recipient, {
    subject: 'Confirmez votre adresse e-mail',
    preview: 'Un clic suffit pour dire qu’elle est bien à vous.',
    heading: 'Confirmez votre adresse',
    blocks: [
      text(
        `Le compte @${recipient.pseudo} a donné cette adresse. S’il est à vous, confirmez-la : ce compte lira alors sur le site les lettres qui vous sont adressées, et son profil portera la mention « Vérifié ».`,
      ),
      button('Confirmer mon adresse', link.url),
      onceUntil(link.expiresAt),
    ],
    footer: whyAddress(recipient),
  })
}

export function passwordLinkEmail(
  recipient: Recipient,
  link: { url: string; expiresAt: Date },
): ComposedMail {
  return accountMail(recipient, {
    subject: 'Choisissez un nouveau mot de passe',
    preview: 'Le lien que vous avez demandé.',
    heading: 'Un nouveau mot de passe',
    blocks: [
      text(
        `Bonjour @${recipient.pseudo}, vous avez demandé à choisir un nouveau mot de passe. Tous vos appareils seront alors déconnectés.`,
      ),
      button('Choisir un mot de passe', link.url),
      onceUntil(link.expiresAt),
    ],
    footer: [
      WHY_ACCOUNT,
      'Vous n’avez rien demandé ? Ignorez cet e-mail : votre mot de passe ne change pas.',
    ],
  })
}

/** After tries of strangers: names what still works, and carries a link for the rest. */
export function signInLockedEmail(
  recipient: Recipient,
  link: { url: string; expiresAt: Date },
): ComposedMail {
  return accountMail(recipient, {
    subject: 'Trop d’essais de connexion à votre compte',
    preview: 'Votre mot de passe n’a pas été trouvé. Ce lien vous permet d’entrer.',
    heading: 'Trop d’essais de connexion',
    blocks: [
      text(
        `Bonjour @${recipient.pseudo}, plusieurs mots de passe faux viennent d’être essayés sur votre compte. Aucun n’était le bon. Par prudence, il refuse pour un quart d’heure de nouvelles connexions : depuis le réseau de ces essais, ou depuis tous ceux que vous n’avez pas encore utilisés. Là où vous êtes déjà connecté, rien ne change.`,
      ),
      text(
        'Vous ne pouvez pas entrer ? Choisissez un autre mot de passe avec ce lien, puis connectez-vous : tous vos appareils seront alors déconnectés.',
      ),
      button('Choisir un mot de passe', link.url),
      onceUntil(link.expiresAt),
    ],
    footer: [
      WHY_ACCOUNT,
      'Ces essais ne viennent pas de vous et vous pouvez entrer ? Il n’y a rien à faire : votre mot de passe ne change pas.',
    ],
  })
}

export function passwordChangedEmail(
  recipient: Recipient,
  facts: { at: Date; forgottenUrl: string; isFeedEnded: boolean },
): ComposedMail {
  return accountMail(recipient, {
    subject: 'Votre mot de passe a été changé',
    preview: 'Si c’était vous, il n’y a rien à faire.',
    heading: 'Votre mot de passe a été changé',
    blocks: [
      text(
        `Bonjour @${recipient.pseudo}, le mot de passe de votre compte a été changé le ${inWords(facts.at)}. Vos autres appareils ont été déconnectés et, si vous en aviez, vos jetons d’accès à l’API révoqués.`,
      ),
      ...(facts.isFeedEnded
        ? [
            text(
              'L’adresse à laquelle un agenda suivait votre calendrier a pris fin aussi : pour y retrouver vos dates, créez-en une autre depuis la page de votre calendrier.',
            ),
          ]
        : []),
      text(
        'Ce n’était pas vous ? Choisissez tout de suite un autre mot de passe : tous les appareils seront déconnectés.',
      ),
      button('Choisir un autre mot de passe', facts.forgottenUrl),
    ],
    footer: [WHY_ACCOUNT],
  })
}

export function newAddressEmail(
  recipient: Recipient,
  link: { url: string; expiresAt: Date },
): ComposedMail {
  return accountMail(recipient, {
    subject: 'Confirmez votre nouvelle adresse e-mail',
    preview: 'Elle deviendra celle de votre compte.',
    heading: 'Confirmez votre nouvelle adresse',
    blocks: [
      text(
        `Le compte @${recipient.pseudo} demande à utiliser cette adresse. S’il est à vous, confirmez-la : elle deviendra la sienne, et ce compte lira sur le site les lettres qui vous sont adressées.`,
      ),
      button('Confirmer cette adresse', link.url),
      onceUntil(link.expiresAt),
    ],
    footer: whyAddress(recipient),
  })
}

/** To the account that has the address already: no link, and nothing about who wants it. */
export function addressWantedEmail(recipient: Recipient): ComposedMail {
  return accountMail(recipient, {
    subject: 'Quelqu’un a voulu utiliser votre adresse e-mail',
    preview: 'Rien ne change : elle reste celle de votre compte.',
    heading: 'Votre adresse reste la vôtre',
    blocks: [
      text(
        `Bonjour @${recipient.pseudo}, quelqu’un a demandé à utiliser cette adresse pour un autre compte Révélations. Rien ne change : elle reste celle de votre compte.`,
      ),
      text(
        'C’était vous ? Cette adresse ouvre déjà le compte que voici : utilisez-le, ou donnez-lui d’abord une autre adresse.',
      ),
    ],
    footer: [WHY_ACCOUNT],
  })
}

export function emailChangeRequestedEmail(
  recipient: Recipient,
  facts: { at: Date; forgottenUrl: string },
): ComposedMail {
  return accountMail(recipient, {
    subject: 'Un changement d’adresse e-mail a été demandé',
    preview: 'Si c’était vous, il n’y a rien à faire ici.',
    heading: 'Un changement d’adresse a été demandé',
    blocks: [
      text(
        `Bonjour @${recipient.pseudo}, une autre adresse a été demandée pour votre compte le ${inWords(facts.at)}. Elle remplacera celle-ci quand elle aura été confirmée.`,
      ),
      text(
        'Ce n’était pas vous ? Quelqu’un connaît votre mot de passe : choisissez-en un autre tout de suite. La demande sera annulée et tous les appareils seront déconnectés.',
      ),
      button('Choisir un autre mot de passe', facts.forgottenUrl),
    ],
    footer: [WHY_ACCOUNT],
  })
}

export function emailChangedEmail(recipient: Recipient, facts: { at: Date }): ComposedMail {
  return accountMail(recipient, {
    subject: 'L’adresse e-mail de votre compte a été changée',
    preview: 'Si c’était vous, il n’y a rien à faire.',
    heading: 'L’adresse de votre compte a été changée',
    blocks: [
      text(
        `Bonjour @${recipient.pseudo}, l’adresse de votre compte a été changée le ${inWords(facts.at)}. Celle-ci n’y sert plus.`,
      ),
      text(
        'Ce n’était pas vous ? Sur un appareil où votre compte est encore ouvert, allez tout de suite dans vos paramètres : changez le mot de passe, ce qui déconnecte les autres appareils, puis remettez votre adresse. Sinon, répondez à cet e-mail.',
      ),
    ],
    footer: [WHY_ACCOUNT],
  })
}
