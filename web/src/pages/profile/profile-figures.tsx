import { Stamp } from 'lucide-react'
import type { ProfileStats } from '#contract/profiles.ts'
import { RecordLines } from '#web/features/predictions/record-lines.tsx'
import { formatShortCount } from '#web/lib/counts.ts'

export function ProfileCounts({ stats }: { stats: ProfileStats }) {
  return (
    <dl
      aria-label="En chiffres"
      className="mt-5 grid max-w-xl grid-cols-4 divide-x divide-line rounded-card border border-line bg-surface py-3 shadow-soft"
    >
      <Figure value={stats.total_revelations} one="révélation" many="révélations" />
      <Figure value={stats.total_reactions} one="réaction" many="réactions" />
      <Figure value={stats.total_comments} one="commentaire" many="commentaires" />
      <Figure value={stats.total_views} one="vue" many="vues" />
    </dl>
  )
}

interface FigureProps {
  value: number
  one: string
  many: string
}

function Figure({ value, one, many }: FigureProps) {
  return (
    <div className="flex min-w-0 flex-col-reverse items-center px-1">
      <dt className="max-w-full truncate text-[0.7rem] text-ink-soft xs:text-sm">
        {value < 2 ? one : many}
      </dt>
      <dd className="digits font-bold text-xl sm:text-2xl">{formatShortCount(value)}</dd>
    </div>
  )
}

export function PublicRecord({ record }: { record: ProfileStats['record'] }) {
  if (record.sealed === 0) return null
  return (
    <p className="mt-3 flex items-start gap-2 text-ink-soft text-sm">
      <Stamp aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
      <span>
        En public&nbsp;: <RecordLines record={record} />
      </span>
    </p>
  )
}
