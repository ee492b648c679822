import type { DeliveryStep, Delivery as PresentedDelivery } from '#contract/deliveries.ts'
import type { Rank } from '#server/features/access/personal-keys.rules.ts'
import { canReaddress, canResend, canRevoke, type DeliveryState } from './deliveries.rules.ts'

export interface JournalEntry {
  step: DeliveryStep
  at: Date
  reason: string | null
}

/** A delivery as its author may read it. */
export interface Delivery {
  id: string
  revelationId: string
  rank: Rank
  state: DeliveryState
  address: string
  dueAt: Date
  error: string | null
  sentAt: Date | null
  openedAt: Date | null
  notifiedAt: Date | null
  revokedAt: Date | null
  hiddenAt: Date | null
  journal: JournalEntry[]
}

/** For the author alone. */
export function presentDelivery(delivery: Delivery): PresentedDelivery {
  const isHidden = delivery.hiddenAt !== null
  return {
    id: delivery.id,
    rank: delivery.rank,
    address: delivery.address,
    state: stateOf(delivery),
    due_at: delivery.dueAt.toISOString(),
    sent_at: delivery.sentAt?.toISOString() ?? null,
    opened_at: delivery.openedAt?.toISOString() ?? null,
    error: delivery.error,
    notified_at: delivery.notifiedAt?.toISOString() ?? null,
    revoked_at: delivery.revokedAt?.toISOString() ?? null,
    journal: delivery.journal.map(({ step, at, reason }) => ({
      step,
      at: at.toISOString(),
      reason,
    })),
    can: {
      resend: !isHidden && canResend(delivery),
      readdress: !isHidden && canReaddress(delivery),
      revoke: !isHidden && canRevoke(delivery),
    },
  }
}

function stateOf({ openedAt, state }: Delivery): PresentedDelivery['state'] {
  if (openedAt) return 'opened'
  return state === 'queued' ? 'planned' : state
}
