import { instantInWords } from '#contract/date-in-words.ts'
import type { Visibility } from '#contract/revelations.ts'
import type { Rank } from '#server/features/access/personal-keys.rules.ts'
import type { Wait } from '#server/features/mails/mail-limits.rules.ts'
import type { Failure } from '#server/features/mails/mails.rules.ts'

export type DeliveryState = 'planned' | 'queued' | 'sent' | 'failed'

/** Everything a mail about a delivery may say; nothing of the letter is ever read for it. */
export interface DeliveryFacts {
  id: string
  rank: Rank
  state: DeliveryState
  mailId: string | null
  keyHash: Buffer
  keyVersion: number
  notifiedAt: Date | null
  sentAt: Date | null
  openedAt: Date | null
  revokedAt: Date | null
  error: string | null
  address: string
  addressKey: string
  /** The other address of the same revelation. */
  otherAddressKey: string | null
  revelationId: string
  title: string
  visibility: Visibility
  revealAt: Date
  timeZone: string
  sealedAt: Date
  hiddenAt: Date | null
  authorId: string
  authorPseudo: string
  authorEmail: string
  authorEmailKey: string
}

/** Once, before the instant, and never to oneself, nor about what is hidden. */
export function shouldNotify(
  delivery: Pick<
    DeliveryFacts,
    'revealAt' | 'notifiedAt' | 'hiddenAt' | 'addressKey' | 'authorEmailKey'
  >,
  now: Date,
): boolean {
  return (
    delivery.notifiedAt === null &&
    delivery.hiddenAt === null &&
    now.getTime() < delivery.revealAt.getTime() &&
    delivery.addressKey !== delivery.authorEmailKey
  )
}

type Progress = Pick<DeliveryFacts, 'state' | 'sentAt' | 'openedAt' | 'revokedAt'>

/** Until it was delivered; one that came back was not. */
export function canReaddress({ state, openedAt }: Progress): boolean {
  return state !== 'sent' && openedAt === null
}

/** Once it left, or could not. */
export function canResend({ state }: Progress): boolean {
  return state === 'sent' || state === 'failed'
}

export function canRevoke({ sentAt, revokedAt }: Progress): boolean {
  return sentAt !== null && revokedAt === null
}

const REASONS: Record<Failure, string> = {
  bad_address: 'L’adresse du destinataire n’existe pas ou n’existe plus.',
  refused: 'La messagerie a refusé le mail.',
  unreachable: 'La messagerie n’a pas répondu.',
  unexpected: 'Le mail n’a pas pu être envoyé.',
  suppressed:
    'La personne qui lit cette adresse ne souhaite plus recevoir de mails de Révélations.',
}

/** What the author reads in the journal of the delivery. */
export function reasonInWords(failure: Failure, isLast: boolean): string {
  if (failure === 'bad_address' || failure === 'suppressed') return REASONS[failure]
  return `${REASONS[failure]} ${isLast ? 'Trois jours d’essais n’y ont rien changé.' : 'Un nouvel essai suivra.'}`
}

/** What the journal says of a mail that waits; nothing of what others sent to the same address. */
export function heldInWords({ until, reason }: Wait, timeZone: string): string {
  const when = instantInWords(until, timeZone)
  return reason === 'sender'
    ? `Votre adresse n’est pas vérifiée\u00A0: au-delà de deux mails par jour à la même personne, les suivants partent ensemble, le ${when}.`
    : `Ce mail part un peu plus tard, avec d’autres\u00A0: le ${when}.`
}

const MESSAGE_ID = /^<?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@[^@\s]+>?$/

/** The mail, or the group of them, that a Message-ID of ours names. */
export function mailIdOf(messageId: string): string | undefined {
  return MESSAGE_ID.exec(messageId.trim())?.[1]
}
