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
