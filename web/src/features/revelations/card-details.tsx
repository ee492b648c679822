import { Eye, Heart, type LucideIcon, MessageCircle } from 'lucide-react'
import { pluralize } from '#contract/plural.ts'
import type { Revelation } from '#contract/revelations.ts'
import { formatCompactCount } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Icon } from '#web/ui/icon-sheet.tsx'
import { useForWhom } from './for-whom.ts'
import { tagsOf } from './revelation-labels.ts'

export function CardTags({ revelation }: { revelation: Revelation }) {
  return (
    <ul aria-label="Genre, visibilité et catégorie" className="flex flex-wrap gap-1.5">
      {tagsOf(revelation).map(({ label, icon }) => (
        <li key={label}>
          <Badge icon={<Icon icon={icon} className="size-3.5" />}>{label}</Badge>
        </li>
      ))}
    </ul>
  )
}

/** The author, and whom it is for. */
export function CardPeople({ revelation }: { revelation: Revelation }) {
  const { author_pseudo, author_avatar } = revelation
  const forWhom = useForWhom(revelation)
  return (
    <div className="card-people">
      <Avatar name={author_pseudo} src={author_avatar} />
      <p className="min-w-0 leading-snug">
        <span className="block truncate font-semibold">{`@${author_pseudo}`}</span>
        <span className="block truncate text-ink-soft">{`pour ${forWhom}`}</span>
      </p>
    </div>
  )
}

interface CardCountsProps {
  revelation: Revelation
  /** A heart button stands before the counts, so that theirs is left out. */
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

function Count({ icon, value, one, many }: CountProps) {
  return (
    <li className="card-count">
      {icon && <Icon icon={icon} className="size-4" />}
      {formatCompactCount(value)}
      <span className="sr-only"> {pluralize(value, one, many)}</span>
    </li>
  )
}
