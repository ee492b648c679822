import { isAddressee, isRevealed, recipientRelation } from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'
import type { ViewerAccount } from '#server/features/access/viewers.service.ts'
import type { ItemRow } from './items.repository.ts'

/**
 * Whether a notification still tells its account something it may know: `envelope` is what the gate lets this account see of
 * its revelation now. Of what an operator hid, only that it was hidden.
 */
export function canTell(
  account: ViewerAccount,
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
export function isMine(account: ViewerAccount, envelope: EnvelopeRow): boolean {
  return isAddressee(recipientRelation(account, envelope))
}
