import { useInfiniteQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Link } from 'react-router'
import type { Revelation } from '#contract/revelations.ts'
import { paths } from '#web/app/paths.ts'
import { revelationsOfUserQuery } from '#web/features/revelations/user-revelations.queries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { formatRelative } from '#web/lib/french-dates.ts'
import { initialOf } from '#web/lib/initials.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { BlankPage } from './blank-page.tsx'
import { tabSearch } from './use-profile-tab.ts'

const SHOWN = 3

interface RecentActivityProps {
  userId: string
  isOwn: boolean
}

export function RecentActivity({ userId, isOwn }: RecentActivityProps) {
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
