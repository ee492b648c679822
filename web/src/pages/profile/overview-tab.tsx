import type { ProfileStats } from '#contract/profiles.ts'
import { StoragePanel } from '#web/features/subscriptions/storage-panel.tsx'
import { counted, formatShortCount } from '#web/lib/counts.ts'
import { Panel } from '#web/ui/panel.tsx'
import { Achievements } from './achievements.tsx'
import { RecentActivity } from './recent-activity.tsx'

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
          <Figure value={stats.total_revelations} one="créée" many="créées" />
          <Figure value={stats.revealed_revelations} one="dévoilée" many="dévoilées" />
          <Figure value={stats.pending_revelations} one="en attente" many="en attente" />
        </dl>
        <OpenShare revealed={stats.revealed_revelations} total={stats.total_revelations} />
      </Panel>
      <Panel title="Engagement">
        <dl className="grid grid-cols-3 gap-2">
          <Figure value={stats.total_reactions} one="réaction" many="réactions" />
          <Figure value={stats.total_comments} one="commentaire" many="commentaires" />
          <Figure value={stats.total_views} one="vue au total" many="vues au total" />
        </dl>
        <p className="mt-4 text-ink-soft text-sm">{engagementInWords(stats)}</p>
      </Panel>
      <RecentActivity userId={userId} isOwn={isOwn} />
      <div className="flex min-w-0 flex-col gap-5">
        {isOwn && <StoragePanel />}
        <Achievements stats={stats} />
      </div>
    </div>
  )
}

interface FigureProps {
  value: number
  one: string
  many: string
}

function Figure({ value, one, many }: FigureProps) {
  return (
    <div className="flex min-w-0 flex-col-reverse justify-end">
      <dt className="text-ink-soft text-sm leading-tight">{value < 2 ? one : many}</dt>
      <dd className="digits font-bold text-2xl sm:text-3xl">{formatShortCount(value)}</dd>
    </div>
  )
}

/** Night and paper in their proportions: what still waits, and what has opened. */
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
