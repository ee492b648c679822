import type { Revelation } from '#contract/revelations.ts'
import {
  isAddressee,
  isRevealed,
  type ViewerRelation,
} from '#server/features/access/access.rules.ts'
import type { EnvelopeRow } from '#server/features/access/envelopes.rules.ts'

/** What is known of the reader of a letter. */
interface Reader {
  relation: ViewerRelation
  openedAt: Date | null
  /** They asked to be reminded of the instant. */
  isAwaited: boolean
}

/**
 * Whether this reader opens the letter by their own hand, however late: whoever it is addressed to, on what is not public
 * whoever may read it, and on a public one who asked to be reminded (behaviour.md 4.6). It changes nothing of who may read.
 */
function hasOwnOpening({ relation, isAwaited }: Reader, { visibility }: EnvelopeRow): boolean {
  if (isAddressee(relation)) return true
  return !relation.isAuthor && (visibility !== 'public' || isAwaited)
}

export function presentOpening(
  reader: Reader,
  envelope: EnvelopeRow,
  now: Date,
): Revelation['opening'] {
  const { relation, openedAt } = reader
  const isOpen = isRevealed(envelope, now)
  return {
    needed: openedAt === null && isOpen && hasOwnOpening(reader, envelope),
    opened_at: openedAt?.toISOString() ?? null,
    // Before the instant a second addressee is not shown that the letter is for them.
    tells_author: isOpen && !relation.isAuthor && isAddressee(relation),
  }
}
