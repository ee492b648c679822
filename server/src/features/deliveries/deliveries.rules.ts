import { instantInWords } from '#contract/date-in-words.ts'
import type { DeliveryStep, Delivery as PresentedDelivery } from '#contract/deliveries.ts'
import type { Kind } from '#contract/kinds.ts'
import type { Visibility } from '#contract/revelations.ts'
import type { Failure, Postponement } from '#server/features/mails/mails.rules.ts'

export type DeliveryState = 'planned' | 'queued' | 'sent' | 'failed'

/** Everything that a mail about a delivery may contain; nothing of the letter is ever read for it. */
export interface DeliveryFacts {
  id: string
  state: DeliveryState
  mailId: string | null
  keyHash: Buffer
  keyVersion: number
  /** When its author took its link to give it by hand. */
  handedAt: Date | null
  /** Its addressee wrote back, which tells the author that they read it. */
  hasReplied: boolean
  notifiedAt: Date | null
  sentAt: Date | null
  openedAt: Date | null
  revokedAt: Date | null
  error: string | null
  address: string
  addressKey: string
  /** As its author calls whoever reads that address. */
  name: string | null
  revelationId: string
  title: string
  kind: Kind
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

/** A notice leaves once, before the reveal; never to the author, nor about a hidden revelation. */
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

type Progress = Pick<
  DeliveryFacts,
  'sentAt' | 'openedAt' | 'revokedAt' | 'handedAt' | 'hasReplied'
> & { state: DeliveryState }

/**
 * Until something tells its author that it was read there. An opening that was kept quiet tells nothing: were it asked, the
 * answer would betray it.
 */
export function canReaddress({ state, openedAt, hasReplied }: Progress): boolean {
  return openedAt === null && !(state === 'sent' && hasReplied)
}

export function canResend({ state }: Progress): boolean {
  return state === 'sent' || state === 'failed'
}

/** A link that was given by hand is one to revoke, before any mail too. */
export function canRevoke({ sentAt, revokedAt, handedAt }: Progress): boolean {
  return handedAt !== null || (sentAt !== null && revokedAt === null)
}

export interface JournalEntry {
  step: DeliveryStep
  at: Date
  reason: string | null
}

/** A delivery with its journal, as its author may read it. */
export interface Delivery {
  id: string
  revelationId: string
  state: DeliveryState
  address: string
  name: string | null
  dueAt: Date
  error: string | null
  sentAt: Date | null
  openedAt: Date | null
  notifiedAt: Date | null
  revokedAt: Date | null
  handedAt: Date | null
  hasReplied: boolean
  hiddenAt: Date | null
  journal: JournalEntry[]
}

/** The wire shape; for the author alone. */
export function presentDelivery(delivery: Delivery): PresentedDelivery {
  const isHidden = delivery.hiddenAt !== null
  return {
    id: delivery.id,
    address: delivery.address,
    name: delivery.name,
    state: stateOf(delivery),
    due_at: delivery.dueAt.toISOString(),
    sent_at: delivery.sentAt?.toISOString() ?? null,
    opened_at: delivery.openedAt?.toISOString() ?? null,
    error: delivery.error,
    notified_at: delivery.notifiedAt?.toISOString() ?? null,
    revoked_at: delivery.revokedAt?.toISOString() ?? null,
    handed_at: delivery.handedAt?.toISOString() ?? null,
    journal: delivery.journal.map(({ step, at, reason }) => ({
      step,
      at: at.toISOString(),
      reason,
    })),
    can: {
      resend: !isHidden && canResend(delivery),
      readdress: !isHidden && canReaddress(delivery),
      revoke: !isHidden && canRevoke(delivery),
      hand: !isHidden,
    },
  }
}

function stateOf({ openedAt, state }: Delivery): PresentedDelivery['state'] {
  if (openedAt) return 'opened'
  return state === 'queued' ? 'planned' : state
}

const REASONS: Record<Failure, string> = {
  bad_address: 'L’adresse du destinataire n’existe pas ou n’existe plus.',
  busy: 'La messagerie du destinataire demande de patienter.',
  refused: 'La messagerie a refusé l’e-mail.',
  unreachable: 'La messagerie n’a pas répondu.',
  unexpected: 'L’e-mail n’a pas pu être envoyé.',
  suppressed:
    'La personne qui lit cette adresse ne souhaite plus recevoir d’e-mails de Révélations.',
}

/** The reason of a failed try, for the journal. */
export function formatFailure(failure: Failure, isLast: boolean): string {
  if (failure === 'bad_address' || failure === 'suppressed') return REASONS[failure]
  return `${REASONS[failure]} ${isLast ? 'Trois jours d’essais n’y ont rien changé.' : 'Un nouvel essai suivra.'}`
}

/** Why a mail is postponed, for the journal; says nothing of what others sent to the same address. */
export function formatPostponement({ until, reason }: Postponement, timeZone: string): string {
  const when = instantInWords(until, timeZone)
  return reason === 'sender'
    ? `Votre adresse n’est pas vérifiée\u202F: au-delà de deux e-mails par jour à la même personne, les suivants partent ensemble, le ${when}.`
    : `Cet e-mail part un peu plus tard, avec d’autres\u202F: le ${when}.`
}

const MESSAGE_ID = /^<?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})@[^@\s]+>?$/

/** The id of the mail, or of the group of mails, that a Message-ID of ours names. */
export function mailIdOf(messageId: string): string | undefined {
  return MESSAGE_ID.exec(messageId.trim())?.[1]
}
