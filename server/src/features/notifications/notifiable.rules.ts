import { RELATIONSHIP_TYPES, type RelationshipType } from '#contract/relationships.ts'
import type { Visibility } from '#contract/revelations.ts'
import { canViewEnvelope } from '#server/features/access/access.rules.ts'

/** What decides who learns of a revelation besides those it is for. */
export interface NotifiableRevelation {
  id: string
  authorId: string
  visibility: Visibility
  hiddenAt: Date | null
  revealAt: Date
  createdAt: Date
}

/** The types of relationship that let somebody see it: the gate’s own answer. */
export function typesThatSee(revelation: NotifiableRevelation, now: Date): RelationshipType[] {
  const envelope = { ...revelation, recipients: [] }
  const reader = { isAuthor: false, deliveryIds: [] }
  return RELATIONSHIP_TYPES.filter((relationship) =>
    canViewEnvelope({ ...reader, relationship }, envelope, now),
  )
}
