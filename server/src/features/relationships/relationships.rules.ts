import type { RelationshipType } from '#contract/relationships.ts'

/** What two people are to each other: related, or hidden from each other by a block of either side. */
export type Relation = RelationshipType | 'blocked'

/** Everyone a person is tied to, each id once. */
export interface RelatedIds {
  friends: string[]
  family: string[]
  blocked: string[]
}

/** Everyone a person may hear of, each once, and whom a block of either side hides from them. */
export interface Circle {
  userId: string
  family: readonly string[]
  friends: readonly string[]
  blocked: readonly string[]
}

/** What two people become who asked each other: family reads more, so both must have said it. */
export function agreedType(one: RelationshipType, other: RelationshipType): RelationshipType {
  return one === 'family' && other === 'family' ? 'family' : 'friend'
}
