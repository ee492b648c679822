import type { NotificationKind } from '#contract/notifications.ts'
import type { RelationshipType } from '#contract/relationships.ts'
import { addresseeRelation, isAddressee, isRevealed } from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'

/** A stored notification with what decides whether it still holds, but for the right to its revelation. */
export interface ItemRow {
  id: string
  kind: NotificationKind
  revelationId: string | null
  isListed: boolean
  startedAt: Date
  createdAt: Date
  readAt: Date | null
  isRestored: boolean
  isAboutComment: boolean
  isAboutReply: boolean
  /** Somebody still says it who may be heard, the failure lasts, the silence too. */
  isTrue: boolean
  /** Of a reply: its addressee. */
  replyAddressKey: string | null
  requestType: RelationshipType | null
  /** The other person, where its revelation does not say who. */
  personId: string | null
}

/** So many people are counted one by one: from then on they are many. */
export const CROWD_MAX = 100

/** The account that is notified. */
interface Account {
  userId: string
  verifiedEmailKey: string | null
}

/**
 * Whether a notification still tells its account something it may know: `envelope` is what the gate lets this account see of
 * its revelation now. Of what an operator hid, only that it was hidden.
 */
export function isStillVisible(
  account: Account,
  row: ItemRow,
  envelope: EnvelopeRow | undefined,
  now: Date,
): boolean {
  if (!row.isTrue) return false
  if (row.revelationId === null) return true
  if (!envelope) return false
  if (row.kind === 'moderation') return true
  if (envelope.hiddenAt !== null) return false
  switch (row.kind) {
    case 'letter_announced':
      // Once it is open, the letter that waits is the news.
      return isMine(account, envelope) && !isRevealed(envelope, now)
    case 'letter_waiting':
      return isMine(account, envelope) && isRevealed(envelope, now)
    case 'revealed':
      return isRevealed(envelope, now)
    case 'reply':
      return (
        account.userId === envelope.authorId ||
        (isMine(account, envelope) && row.replyAddressKey === account.verifiedEmailKey)
      )
    default:
      return account.userId === envelope.authorId
  }
}

/** Whether the letter is for this account: it may have gone to another address since. */
function isMine(account: Account, envelope: EnvelopeRow): boolean {
  return isAddressee(addresseeRelation(account, envelope))
}

/** Where it happens, as a path of this site. */
export function pathOf(row: ItemRow): string {
  const { kind, revelationId } = row
  if (kind === 'request' || kind === 'request_accepted') return '/profile?onglet=relations'
  if (revelationId === null) return '/profile'
  const page = `/revelation/${revelationId}`
  if (kind === 'comment' || (kind === 'moderation' && row.isAboutComment))
    return `${page}#commentaires`
  if (kind === 'reaction') return `${page}#reactions`
  if (kind === 'reply' || (kind === 'moderation' && row.isAboutReply)) return `${page}#reponses`
  if (kind === 'delivery_failed' || kind === 'unopened') return `${page}#remise`
  return page
}
