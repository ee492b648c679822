import { House, Users } from 'lucide-react'
import type { RelationshipType } from '#contract/relationships.ts'
import { Badge } from '#web/ui/badge.tsx'
import { TYPE_WORDS } from './relationship-words.ts'

const ICONS = { friend: Users, family: House } as const

export function TypeBadge({ type }: { type: RelationshipType }) {
  const Icon = ICONS[type]
  return (
    <Badge icon={<Icon aria-hidden="true" className="size-3.5" />}>{TYPE_WORDS[type].one}</Badge>
  )
}
