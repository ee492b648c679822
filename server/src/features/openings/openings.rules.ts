import type { Revelation } from '#contract/revelations.ts'
import {
  isAddressee,
  isRevealed,
  type ViewerRelation,
} from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'

/**
 * Whether this reader opens the letter by their own hand, however late: whoever it is addressed to, and on what is not
 * public whoever may read it (behaviour.md 4.6). It changes nothing of who may read.
 */
function hasOwnOpening(relation: ViewerRelation, { visibility }: EnvelopeRow): boolean {
  if (isAddressee(relation)) return true
  return !relation.isAuthor && visibility !== 'public'
}

export function presentOpening(
  relation: ViewerRelation,
  envelope: EnvelopeRow,
  openedAt: Date | null,
  now: Date,
): Revelation['opening'] {
  const isOpen = isRevealed(envelope, now)
  return {
    needed: openedAt === null && isOpen && hasOwnOpening(relation, envelope),
    opened_at: openedAt?.toISOString() ?? null,
    // Before the instant a second addressee is not shown that the letter is for them.
    tells_author: isOpen && !relation.isAuthor && isAddressee(relation),
  }
}
