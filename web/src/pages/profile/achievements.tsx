import { Flame, type LucideIcon, PenLine, Users } from 'lucide-react'
import type { ProfileStats } from '#contract/profiles.ts'
import { Medal } from '#web/ui/medal.tsx'
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
        {ACHIEVEMENTS.map(({ count, ...medal }) => (
          <Medal
            key={medal.title}
            {...medal}
            count={count(stats)}
            isEarned={count(stats) >= medal.threshold}
          />
        ))}
      </ul>
    </Panel>
  )
}
