import { Eye, Heart, type LucideIcon, MessageCircle } from 'lucide-react'
import type { Revelation } from '#contract/revelations.ts'

const number = new Intl.NumberFormat('fr', { notation: 'compact' })

export function CardCounts({ revelation }: { revelation: Revelation }) {
  const { reactions_count, comments_count, views_count } = revelation
  return (
    <ul aria-label="Activité" className="flex gap-4 text-ink-soft text-sm">
      <Count icon={Heart} value={reactions_count} one="réaction" many="réactions" />
      <Count icon={MessageCircle} value={comments_count} one="commentaire" many="commentaires" />
      <Count icon={Eye} value={views_count} one="vue" many="vues" />
    </ul>
  )
}

interface CountProps {
  icon: LucideIcon
  value: number
  one: string
  many: string
}

function Count({ icon: Icon, value, one, many }: CountProps) {
  return (
    <li className="digits inline-flex items-center gap-1.5">
      <Icon aria-hidden="true" className="size-4" />
      {number.format(value)}
      <span className="sr-only"> {value > 1 ? many : one}</span>
    </li>
  )
}
