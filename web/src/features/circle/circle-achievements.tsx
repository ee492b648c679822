import { BookHeart, Crown, House, type LucideIcon, PenLine } from 'lucide-react'
import type { Achievement, CircleStatistics } from '#contract/circle.ts'
import { Medal } from '#web/ui/medal.tsx'
import { Panel } from '#web/ui/panel.tsx'

interface Words {
  icon: LucideIcon
  title: string
  threshold: number
  unit: string
  count: (statistics: CircleStatistics) => number
}

const WORDS: Record<Achievement, Words> = {
  first_revelation: {
    icon: PenLine,
    title: 'Première révélation',
    threshold: 1,
    unit: 'livraison',
    count: ({ total_revelations }) => total_revelations,
  },
  family_builder: {
    icon: House,
    title: 'Bâtisseur de famille',
    threshold: 5,
    unit: 'membres',
    count: ({ total_members }) => total_members,
  },
  storyteller: {
    icon: BookHeart,
    title: 'Conteur',
    threshold: 10,
    unit: 'livraisons',
    count: ({ total_revelations }) => total_revelations,
  },
  family_champion: {
    icon: Crown,
    title: 'Champion familial',
    threshold: 80,
    unit: 'points',
    count: ({ family_score }) => family_score,
  },
}

export function CircleAchievements({ statistics }: { statistics: CircleStatistics }) {
  const reached = statistics.achievements.filter(({ is_reached }) => is_reached).length
  return (
    <Panel title="Succès" intro={`${reached} sur ${statistics.achievements.length}`}>
      <ul className="grid grid-cols-2 gap-x-3 gap-y-5 xs:grid-cols-4 md:max-lg:grid-cols-2">
        {statistics.achievements.map(({ id, is_reached }) => {
          const { count, ...medal } = WORDS[id]
          return <Medal key={id} {...medal} count={count(statistics)} isEarned={is_reached} />
        })}
      </ul>
    </Panel>
  )
}
