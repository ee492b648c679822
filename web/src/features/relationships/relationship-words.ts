import type { RelationshipType } from '#contract/relationships.ts'

interface Words {
  /** For one person. */
  one: string
  /** The title of a list. */
  many: string
  /** What this person will see. */
  sees: string
}

export const TYPE_WORDS: Record<RelationshipType, Words> = {
  friend: {
    one: 'Ami',
    many: 'Amis',
    sees: 'Voit vos révélations « Amis ».',
  },
  family: {
    one: 'Famille',
    many: 'Famille',
    sees: 'Voit aussi celles de votre Cercle Privé.',
  },
}

/** In the place of an address that nobody proved. */
export const UNVERIFIED = 'adresse non vérifiée'
