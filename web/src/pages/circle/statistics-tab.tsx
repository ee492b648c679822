import { useQuery } from '@tanstack/react-query'
import type { CircleStatistics } from '#contract/circle.ts'
import { ActivityPanel } from '#web/features/circle/activity-panel.tsx'
import { circleStatisticsQuery } from '#web/features/circle/circle.queries.ts'
import { CircleAchievements } from '#web/features/circle/circle-achievements.tsx'
import { ContributorBanner } from '#web/features/circle/contributor-banner.tsx'
import { ScorePanel } from '#web/features/circle/score-panel.tsx'
import { formatChange } from '#web/lib/format.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { QueryFailure } from '#web/ui/notice.tsx'
import { Statistic } from '#web/ui/statistic.tsx'

export function StatisticsTab() {
  const query = useQuery(circleStatisticsQuery())
  const { data, error } = query
  if (data) return <Statistics statistics={data} />
  if (!error) return <StatisticsSkeleton />
  return <QueryFailure query={query} title="Les statistiques n’ont pas pu être chargées" />
}

function Statistics({ statistics }: { statistics: CircleStatistics }) {
  const { total_members, total_revelations, total_interactions, monthly_growth } = statistics
  return (
    <div className="flex flex-col gap-5">
      <ContributorBanner contributor={statistics.top_contributor} />
      <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        <Statistic
          place="tile"
          value={total_members}
          one="membre"
          many="membres"
          detail="de votre famille"
        />
        <Statistic
          place="tile"
          value={total_revelations}
          one="livraison"
          many="livraisons"
          detail="les vôtres et les leurs"
        />
        <Statistic
          place="tile"
          value={total_interactions}
          one="interaction"
          many="interactions"
          detail="réactions et commentaires"
        />
        <Statistic
          place="tile"
          value={monthly_growth}
          format={formatChange}
          one="ce mois-ci"
          many="ce mois-ci"
          detail="livraisons, face au mois dernier"
        />
      </dl>
      <div className="grid items-start gap-5 md:grid-cols-2">
        <ScorePanel statistics={statistics} />
        <CircleAchievements statistics={statistics} />
      </div>
      <ActivityPanel months={statistics.months} />
    </div>
  )
}

function StatisticsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement des statistiques</span>
      <div aria-hidden="true" className="flex flex-col gap-5">
        <Skeleton className="h-28 rounded-card!" />
        <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
          {['un', 'deux', 'trois', 'quatre'].map((place) => (
            <Skeleton key={place} className="h-26 rounded-card!" />
          ))}
        </div>
        <div className="grid gap-5 md:grid-cols-2">
          <Skeleton className="h-64 rounded-card!" />
          <Skeleton className="h-64 rounded-card!" />
        </div>
        <Skeleton className="h-96 rounded-card!" />
      </div>
    </div>
  )
}
