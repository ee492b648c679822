import { dayInWords } from '#contract/date-in-words.ts'
import type { ComposedMail } from '#server/features/mails/mails.service.ts'
import { capitalized, initialOf, oneLine } from '#server/platform/mail/mail-content.ts'
import type { SignedReport, Target } from './reports.repository.ts'

type Noun = 'revelation' | 'comment' | 'profile' | 'mail' | 'reply'

/** What a mail calls what was reported, what was examined for it, and « masqué » in its gender. */
const NOUNS: Record<Noun, { one: string; examined: string; your: string; hidden: string }> = {
  revelation: {
    one: 'une révélation',
    examined: 'la révélation',
    your: 'votre révélation',
    hidden: 'masquée',
  },
  comment: {
    one: 'un commentaire',
    examined: 'le commentaire',
    your: 'votre commentaire',
    hidden: 'masqué',
  },
  profile: { one: 'un profil', examined: 'le profil', your: 'votre profil', hidden: 'masqué' },
  reply: {
    one: 'une réponse',
    examined: 'la réponse',
    your: 'votre réponse',
    hidden: 'masquée',
  },
  // A mail stays in its mailbox: the revelation it was about may be hidden.
  mail: {
    one: 'un e-mail',
    examined: 'la révélation dont il parle',
    your: 'votre révélation',
    hidden: 'masquée',
  },
}

/** Where to answer an operator: a mailbox of whichever site sends the mail, as on its pages. */
function contactAddress(publicUrl: string): string {
  return `contact@${new URL(publicUrl).hostname}`
}

/** Whoever writes to a site whose operators are in one place reads its dates there. */
const TIME_ZONE = 'Europe/Brussels'

interface Frame {
  to: string
  publicUrl: string
}

/** To whoever reported something: what was decided and why. */
export function reportClosedEmail(report: SignedReport, { to, publicUrl }: Frame): ComposedMail {
  const { one, examined, hidden } = NOUNS[report.target]
  const decision =
    report.outcome === 'hidden'
      ? `Après examen, ${examined} a été ${hidden}.`
      : `Après examen, ${examined} n’a pas été ${hidden}.`
  return {
    to,
    stops: 'nothing',
    subject: 'Votre signalement a été traité',
    preview: decision,
    sky: 'night',
    initial: 'R',
    heading: 'Votre signalement',
    blocks: [
      {
        kind: 'text',
        text: `Vous avez signalé ${one} le ${dayInWords(report.createdAt, TIME_ZONE)}. ${decision}`,
      },
      ...because(report.closingReason ?? ''),
      { kind: 'small', text: howToAnswer(publicUrl) },
    ],
    footer: ['Vous recevez cet e-mail parce que vous avez envoyé un signalement à Révélations.'],
  }
}

/** To the author of what was hidden or restored. */
export function contentMovedEmail(
  moved: 'hidden' | 'restored',
  target: Target,
  { reason, publicUrl }: { reason: string; publicUrl: string },
): ComposedMail {
  const { your, hidden } = NOUNS[target.kind]
  const named = capitalized(your)
  const isHidden = moved === 'hidden'
  const heading = isHidden ? `${named} a été ${hidden}` : `${named} est de nouveau visible`
  return {
    to: target.authorEmail,
    stops: 'nothing',
    subject: heading,
    preview: isHidden
      ? 'L’équipe de Révélations vous en donne la raison.'
      : 'L’équipe de Révélations est revenue sur sa décision.',
    sky: isHidden ? 'night' : 'dawn',
    initial: initialOf(target.authorPseudo ?? target.authorEmail),
    heading,
    blocks: [
      ...(target.kind === 'revelation'
        ? [{ kind: 'envelope' as const, title: oneLine(target.text), lines: [sealedOn(target)] }]
        : []),
      { kind: 'text', text: isHidden ? WHILE_HIDDEN[target.kind] : RESTORED[target.kind] },
      ...because(reason),
      { kind: 'small', text: howToAnswer(publicUrl) },
    ],
    footer: [
      'Vous recevez cet e-mail parce qu’il concerne ce que vous avez publié sur Révélations.',
    ],
  }
}

const WHILE_HIDDEN: Record<Target['kind'], string> = {
  revelation:
    'L’équipe de Révélations l’a masquée : personne d’autre que vous n’y a accès, et elle n’est pas remise à son destinataire. Vous ne pouvez pas la modifier, mais vous pouvez toujours la supprimer.',
  comment:
    'L’équipe de Révélations a masqué un commentaire que vous avez écrit : il n’apparaît plus.',
  reply:
    'L’équipe de Révélations a masqué une réponse que vous avez écrite à l’auteur d’une lettre : personne ne la voit plus.',
  profile:
    'L’équipe de Révélations a masqué votre profil : les autres ne peuvent plus l’ouvrir ni le trouver. Vos révélations restent telles quelles.',
}
const RESTORED: Record<Target['kind'], string> = {
  revelation:
    'L’équipe de Révélations l’a remise comme elle était : les mêmes personnes y ont accès, et elle arrive à son destinataire comme prévu.',
  comment: 'Le commentaire que l’équipe de Révélations avait masqué apparaît de nouveau.',
  reply:
    'L’auteur de la lettre et vous voyez de nouveau la réponse que l’équipe de Révélations avait masquée.',
  profile: 'Les autres peuvent de nouveau ouvrir et trouver votre profil.',
}

function sealedOn({ createdAt }: Target): string {
  return `Scellée le ${dayInWords(createdAt, TIME_ZONE)}`
}

function because(reason: string): ComposedMail['blocks'] {
  return [{ kind: 'text', text: `Raison donnée : ${reason}` }]
}

function howToAnswer(publicUrl: string): string {
  return `Vous n’êtes pas d’accord, ou vous avez une question ? Écrivez à ${contactAddress(publicUrl)} : une personne vous répondra.`
}
