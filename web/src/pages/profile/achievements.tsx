import { Check, Flame, type LucideIcon, PenLine, Users } from 'lucide-react'
import type { ProfileStats } from '#contract/profiles.ts'
import { formatCount } from '#web/lib/counts.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Panel } from '#web/ui/panel.tsx'

interface Achievement {
  icon: LucideIcon
  title: string
  threshold: number
  /** What is counted, after its number. */
  unit: string
  count: (stats: ProfileStats) => number
}

const ACHIEVEMENTS: Achievement[] = [
  {
    icon: PenLine,
    title: 'Première révélation',
    threshold: 1,
    unit: 'révélation',
    count: ({ total_revelations }) => total_revelations,
  },
  {
    icon: Flame,
    title: 'Révélateur actif',
    threshold: 5,
    unit: 'révélations',
    count: ({ total_revelations }) => total_revelations,
  },
  {
    icon: Users,
    title: 'Populaire',
    threshold: 10,
    unit: 'réactions',
    count: ({ total_reactions }) => total_reactions,
  },
]

export function Achievements({ stats }: { stats: ProfileStats }) {
  return (
    <Panel title="Succès">
      <ul className="grid grid-cols-3 gap-3">
        {ACHIEVEMENTS.map((achievement) => (
          <AchievementBadge
            key={achievement.title}
            achievement={achievement}
            count={achievement.count(stats)}
          />
        ))}
      </ul>
    </Panel>
  )
}

interface AchievementBadgeProps {
  achievement: Achievement
  count: number
}

/** A medal of wax once it is earned; before, its outline and how far one is. */
function AchievementBadge({ achievement, count }: AchievementBadgeProps) {
  const { icon: Icon, title, threshold, unit } = achievement
  const isEarned = count >= threshold
  return (
    <li className="flex flex-col items-center gap-1 text-center">
      <span
        className={classNames(
          'relative inline-flex size-16 items-center justify-center rounded-full',
          isEarned
            ? 'bg-linear-to-br from-[#d2495e] to-[#8a1a2c] text-[#ffe9d2] shadow-soft'
            : 'border-2 border-line-strong border-dashed text-ink-soft',
        )}
      >
        <Icon aria-hidden="true" className="size-7" />
        {isEarned && (
          <span className="absolute -right-0.5 -bottom-0.5 inline-flex size-6 items-center justify-center rounded-full border-2 border-surface bg-leaf text-on-leaf">
            <Check aria-hidden="true" className="size-3.5" />
          </span>
        )}
      </span>
      <span className="mt-1 text-balance font-semibold text-sm leading-tight">{title}</span>
      <span className="text-ink-soft text-xs">
        {isEarned ? (
          <>
            <span className="sr-only">Obtenu&nbsp;: </span>
            {formatCount(threshold)} {unit}
          </>
        ) : (
          `${formatCount(count)} sur ${formatCount(threshold)} ${unit}`
        )}
      </span>
    </li>
  )
}
