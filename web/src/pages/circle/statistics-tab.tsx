import { useQuery } from '@tanstack/react-query'
import { CalendarPlus, UserPlus } from 'lucide-react'
import type { CircleStatistics } from '#contract/circle.ts'
import { dayAt } from '#contract/zoned-time.ts'
import { ActivityPanel } from '#web/features/circle/activity-panel.tsx'
import { circleStatisticsQuery } from '#web/features/circle/circle.queries.ts'
import { CircleAchievements } from '#web/features/circle/circle-achievements.tsx'
import { ContributorBanner } from '#web/features/circle/contributor-banner.tsx'
import { ScorePanel } from '#web/features/circle/score-panel.tsx'
import { NextOpeningsRoom, WaitersRoom } from '#web/features/circle/waiting-rooms.tsx'
import { YearRoom } from '#web/features/circle/year-room.tsx'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatChange } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import HouseAtNight from '#web/ui/art/house-at-night.svg?react'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
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

/** Three rooms of the family, then its figures. */
function Statistics({ statistics }: { statistics: CircleStatistics }) {
  return (
    <div className="flex flex-col gap-5">
      <Rooms statistics={statistics} />
      <h2 className="mt-3 text-xl">Le cercle en chiffres</h2>
      <Figures statistics={statistics} />
    </div>
  )
}

function Rooms({ statistics }: { statistics: CircleStatistics }) {
  const { year, waiting, total_members, upcoming_revelations } = statistics
  if (waiting.length === 0 && year.every(({ opened }) => opened === 0)) {
    return <EmptyRooms isAlone={total_members === 0} />
  }
  return (
    <>
      <YearRoom year={year} today={dayAt(new Date(serverNow()), personTimeZone())} />
      {waiting.length > 0 && (
        <div className="grid items-start gap-5 lg:grid-cols-2">
          <NextOpeningsRoom waiting={waiting} />
          <WaitersRoom waiting={waiting} total={upcoming_revelations} />
        </div>
      )}
    </>
  )
}

function EmptyRooms({ isAlone }: { isAlone: boolean }) {
  return (
    <EmptyState
      isUnderTabs
      art={HouseAtNight}
      title={isAlone ? 'La maison attend sa famille' : 'L’année attend sa première lettre'}
      action={
        isAlone ? (
          <ButtonLink
            to={paths.ownRelations}
            icon={<UserPlus aria-hidden="true" className="size-5" />}
          >
            Ajouter un contact
          </ButtonLink>
        ) : (
          <ButtonLink
            to={paths.deliver}
            icon={<CalendarPlus aria-hidden="true" className="size-5" />}
          >
            Programmer une livraison
          </ButtonLink>
        )
      }
    >
      {isAlone
        ? 'Invitez un proche dans votre cercle\u202F: vos lettres et les siennes s’ouvriront ici, mois après mois.'
        : 'Ce que votre famille scelle paraîtra ici, mois après mois\u202F: qui attend, et ce qui s’ouvre bientôt.'}
    </EmptyState>
  )
}

function Figures({ statistics }: { statistics: CircleStatistics }) {
  const { total_members, total_revelations, total_interactions, monthly_growth } = statistics
  return (
    <>
      <dl className="grid grid-cols-2 gap-x-3 gap-y-4 rounded-card border border-line bg-surface p-4 shadow-soft lg:grid-cols-4">
        <Statistic
          place="card"
          value={total_members}
          one="membre"
          many="membres"
          detail="de votre famille"
        />
        <Statistic
          place="card"
          value={total_revelations}
          one="livraison"
          many="livraisons"
          detail="les vôtres et les leurs"
        />
        <Statistic
          place="card"
          value={total_interactions}
          one="interaction"
          many="interactions"
          detail="réactions et commentaires"
        />
        <Statistic
          place="card"
          value={monthly_growth}
          format={formatChange}
          one="ce mois-ci"
          many="ce mois-ci"
          detail="livraisons, face au mois dernier"
        />
      </dl>
      <ContributorBanner contributor={statistics.top_contributor} />
      <div className="grid items-start gap-5 md:grid-cols-2">
        <ScorePanel statistics={statistics} />
        <CircleAchievements statistics={statistics} />
      </div>
      <ActivityPanel months={statistics.months} />
    </>
  )
}

function StatisticsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement des statistiques</span>
      <div aria-hidden="true" className="flex flex-col gap-5">
        <Skeleton className="h-104 rounded-card! sm:h-72 xl:h-48" />
        <div className="grid gap-5 lg:grid-cols-2">
          <Skeleton className="h-80 rounded-card!" />
          <Skeleton className="h-80 rounded-card!" />
        </div>
        <Skeleton className="h-28 rounded-card!" />
      </div>
    </div>
  )
}
