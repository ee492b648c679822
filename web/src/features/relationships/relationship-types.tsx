import { House, Users } from 'lucide-react'
import type { Relationship, RelationshipType } from '#contract/relationships.ts'
import { Badge } from '#web/ui/badge.tsx'
import { showToast } from '#web/ui/toasts.tsx'

interface Words {
  /** For one person. */
  one: string
  /** The title of a list. */
  many: string
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

/** Replaces an address that is not verified. */
export const UNVERIFIED = 'adresse non vérifiée'

const ICONS = { friend: Users, family: House } as const

export function TypeBadge({ type }: { type: RelationshipType }) {
  const Icon = ICONS[type]
  return (
    <Badge icon={<Icon aria-hidden="true" className="size-3.5" />}>{TYPE_WORDS[type].one}</Badge>
  )
}

/** Two people who request each other are related at once. */
export function announceRequested(pseudo: string, relationship: Relationship | undefined): void {
  if (relationship) announceRelated(pseudo, relationship)
  else showToast('success', `Demande envoyée à @${pseudo}`)
}

export function announceRelated(pseudo: string, { relationship_type }: Relationship): void {
  showToast('success', `@${pseudo} · ${TYPE_WORDS[relationship_type].one}`)
}
