import { type AppContext, inTransaction } from '#server/context.ts'
import { suppressAddress } from '#server/features/mails/suppression.service.ts'
import { listCarried } from './deliveries.repository.ts'
import { mailIdOf } from './deliveries.rules.ts'
import { noteFailed } from './delivery-outcomes.service.ts'

/** A mail that a server accepted and that came back. `reason` is that server’s own words: for the log, not for people. */
export interface Bounce {
  messageId: string
  kind: 'permanent' | 'temporary'
  reason: string
}

const SENTENCES: Record<Bounce['kind'], string> = {
  permanent: 'Le mail est revenu\u00A0: cette adresse n’existe pas ou n’existe plus.',
  temporary:
    'Le mail est revenu\u00A0: la boîte du destinataire ne pouvait pas le recevoir. Vous pouvez le renvoyer.',
}

/**
 * The one place where a provider’s webhook or a mailbox for returned mails plugs in (docs/decisions/0014-bounces.md).
 * False when the Message-ID is none of ours, or of a mail that no delivery names any more.
 */
export async function noteBounce(ctx: AppContext, bounce: Bounce): Promise<boolean> {
  const mailId = mailIdOf(bounce.messageId)
  if (!mailId) return false
  return inTransaction(ctx, async (tx) => {
    const carried = await listCarried(tx.db, mailId)
    const deliveries = carried.filter(({ state }) => state !== 'failed')
    for (const delivery of deliveries) {
      if (bounce.kind === 'permanent') await suppressAddress(tx, delivery.address, 'bounced')
      await noteFailed(tx, delivery, SENTENCES[bounce.kind])
    }
    if (deliveries.length === 0) return false
    tx.log.warn({ mailId, kind: bounce.kind, reason: bounce.reason }, 'a delivery came back')
    return true
  })
}
