import { Eye, Heart, type LucideIcon, MessageCircle } from 'lucide-react'
import type { Revelation } from '#contract/revelations.ts'

const number = new Intl.NumberFormat('fr', { notation: 'compact' })

interface CardCountsProps {
  revelation: Revelation
  /** A heart to tap stands before the counts: theirs would be one too many. */
  followsHeart?: boolean
}

export function CardCounts({ revelation, followsHeart = false }: CardCountsProps) {
  const { reactions_count, comments_count, views_count } = revelation
  return (
    <ul aria-label="Activité" className="flex gap-4 text-ink-soft text-sm">
      <Count
        icon={followsHeart ? undefined : Heart}
        value={reactions_count}
        one="réaction"
        many="réactions"
      />
      <Count icon={MessageCircle} value={comments_count} one="commentaire" many="commentaires" />
      <Count icon={Eye} value={views_count} one="vue" many="vues" />
    </ul>
  )
}

interface CountProps {
  icon: LucideIcon | undefined
  value: number
  one: string
  many: string
}

function Count({ icon: Icon, value, one, many }: CountProps) {
  return (
    <li className="digits inline-flex items-center gap-1.5">
      {Icon && <Icon aria-hidden="true" className="size-4" />}
      {number.format(value)}
      <span className="sr-only"> {value > 1 ? many : one}</span>
    </li>
  )
}
