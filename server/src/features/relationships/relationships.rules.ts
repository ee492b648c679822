import type { RelationshipType } from '#contract/relationships.ts'

/** What two people are to each other: friends, family, or hidden from each other by a block of either side. */
export type Relation = RelationshipType | 'blocked'

/** The people with whom somebody has a relation, each id once. */
export interface RelatedIds {
  friends: string[]
  family: string[]
  blocked: string[]
}

/** Family and friends of a person, and apart from them the people whom a block of either side hides. */
export interface Circle {
  userId: string
  family: readonly string[]
  friends: readonly string[]
  blocked: readonly string[]
}

/** What two people become who requested each other: family reads more, so both must have chosen it. */
export function agreedType(one: RelationshipType, other: RelationshipType): RelationshipType {
  return one === 'family' && other === 'family' ? 'family' : 'friend'
}
