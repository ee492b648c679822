import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight, Flame, type LucideIcon, PenLine, Users } from 'lucide-react'
import { Link } from 'react-router'
import type { ProfileStats } from '#contract/profiles.ts'
import type { Revelation } from '#contract/revelations.ts'
import { revelationsOfUserQuery } from '#web/features/revelations/revelations.queries.ts'
import { StoragePanel } from '#web/features/subscriptions/storage-panel.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import { serverNow } from '#web/lib/clock.ts'
import { formatRelative } from '#web/lib/dates.ts'
import { counted, initialOf } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import BlankPage from '#web/ui/art/blank-page.svg?react'
import { ButtonLink } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Medal } from '#web/ui/medal.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Statistic } from '#web/ui/statistic.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { tabSearch } from './use-profile-tab.ts'

interface OverviewTabProps {
  userId: string
  stats: ProfileStats
  isOwn: boolean
}

export function OverviewTab({ userId, stats, isOwn }: OverviewTabProps) {
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <Panel title="Activité">
        <dl className="grid grid-cols-3 gap-2">
          <Statistic place="panel" value={stats.total_revelations} one="créée" many="créées" />
          <Statistic
            place="panel"
            value={stats.revealed_revelations}
            one="dévoilée"
            many="dévoilées"
          />
          <Statistic
            place="panel"
            value={stats.pending_revelations}
            one="en attente"
            many="en attente"
          />
        </dl>
        <OpenShare revealed={stats.revealed_revelations} total={stats.total_revelations} />
      </Panel>
      <Panel title="Engagement">
        <dl className="grid grid-cols-3 gap-2">
          <Statistic place="panel" value={stats.total_reactions} one="réaction" many="réactions" />
          <Statistic
            place="panel"
            value={stats.total_comments}
            one="commentaire"
            many="commentaires"
          />
          <Statistic
            place="panel"
            value={stats.total_views}
            one="vue au total"
            many="vues au total"
          />
        </dl>
        <p className="mt-4 text-ink-soft text-sm">{engagementInWords(stats)}</p>
        {isOwn && <StatisticsLink />}
      </Panel>
      <RecentActivity userId={userId} isOwn={isOwn} />
      <div className="flex min-w-0 flex-col gap-5">
        {isOwn && <StoragePanel />}
        <Achievements stats={stats} />
      </div>
    </div>
  )
}

function StatisticsLink() {
  return (
    <Link
      to={paths.statistics}
      className="-mb-2 inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
    >
      Mois par mois, lettre par lettre
    </Link>
  )
}

/** The proportions of sealed and revealed ones. */
function OpenShare({ revealed, total }: { revealed: number; total: number }) {
  if (total === 0) return null
  return (
    <div aria-hidden="true" className="mt-5 flex h-2.5 gap-1">
      {revealed > 0 && <span className="rounded-full bg-ember" style={{ flexGrow: revealed }} />}
      {revealed < total && (
        <span
          className="rounded-full bg-[#1b2250] dark:bg-[#46519c]"
          style={{ flexGrow: total - revealed }}
        />
      )}
    </div>
  )
}

function engagementInWords({ total_reactions, total_comments, total_views }: ProfileStats): string {
  const responses = total_reactions + total_comments
  if (responses === 0) return 'Une vue par personne et par jour, celles de l’auteur non comptées.'
  return `${counted(responses, 'réponse', 'réponses')} pour ${counted(total_views, 'vue', 'vues')}.`
}

const SHOWN = 3

interface RecentActivityProps {
  userId: string
  isOwn: boolean
}

function RecentActivity({ userId, isOwn }: RecentActivityProps) {
  const { data, error } = useInfiniteQuery(revelationsOfUserQuery(userId))
  const latest = data?.pages.flatMap(({ revelations }) => revelations).slice(0, SHOWN)
  return (
    <Panel title="Activité récente">
      {latest && latest.length > 0 && (
        <ul className="-mx-2 flex flex-col">
          {latest.map((revelation) => (
            <RecentLine key={revelation.id} revelation={revelation} />
          ))}
        </ul>
      )}
      {latest && latest.length > 0 && (
        <Link
          to={{ search: tabSearch('revelations') }}
          preventScrollReset
          className="mt-1 inline-flex min-h-11 items-center gap-1.5 font-semibold text-wax-ink underline-offset-4 hover:underline"
        >
          Toutes les révélations
        </Link>
      )}
      {latest?.length === 0 && (
        <div className="flex flex-col items-center gap-3 py-2 text-center">
          <BlankPage className="w-36" />
          <p className="text-ink-soft">Aucune activité récente</p>
          {isOwn && (
            <ButtonLink variant="secondary" to={paths.create}>
              Créer une révélation
            </ButtonLink>
          )}
        </div>
      )}
      {!latest && !error && <LinesSkeleton />}
      {!latest && error && <Notice tone="error">{errorSentence(error, 'Erreur API')}</Notice>}
    </Panel>
  )
}

function RecentLine({ revelation }: { revelation: Revelation }) {
  const { id, title, author_pseudo, is_revealed, reveal_date } = revelation
  const when = formatRelative(reveal_date, serverNow())
  return (
    <li>
      <Link
        to={paths.revelation(id)}
        className="flex min-h-14 items-center gap-3 rounded-field px-2 py-1.5 hover:bg-sunken"
      >
        <WaxSeal
          initial={initialOf(author_pseudo)}
          state={is_revealed ? 'broken' : 'whole'}
          className="size-9 shrink-0"
        />
        <span className="min-w-0 flex-1 leading-snug">
          <span className="block truncate font-semibold">{title}</span>
          <span className="block text-ink-soft text-sm">
            {is_revealed ? 'Dévoilée' : 'Scellée, s’ouvre'}{' '}
            <time dateTime={reveal_date}>{when}</time>
          </span>
        </span>
        <ChevronRight aria-hidden="true" className="size-5 shrink-0 text-ink-soft" />
      </Link>
    </li>
  )
}

function LinesSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-3">
      <span className="sr-only">Chargement de l’activité récente</span>
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
      <Skeleton className="h-12" />
    </div>
  )
}

interface Achievement {
  icon: LucideIcon
  title: string
  threshold: number
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

function Achievements({ stats }: { stats: ProfileStats }) {
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
