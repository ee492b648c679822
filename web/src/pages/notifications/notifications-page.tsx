import { useInfiniteQuery } from '@tanstack/react-query'
import { CheckCheck, Settings2 } from 'lucide-react'
import { useCallback } from 'react'
import type { Notification } from '#contract/notifications.ts'
import { dayAt } from '#contract/zoned-time.ts'
import {
  NotificationRow,
  NotificationRowsSkeleton,
} from '#web/features/notifications/notification-row.tsx'
import {
  listOf,
  notificationsQuery,
  useMarkRead,
  useUnreadCount,
} from '#web/features/notifications/notifications.queries.ts'
import { useReadBySight } from '#web/features/notifications/reading.ts'
import { MoreButton } from '#web/features/revelations/revelation-grid.tsx'
import { NearbyItem, PAGES_BETWEEN_PAUSES } from '#web/features/revelations/revelation-list.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import { serverNow, useTicking } from '#web/lib/clock.ts'
import { browserTimeZone } from '#web/lib/dates.ts'
import { captureFocus } from '#web/lib/focus.ts'
import { paths } from '#web/lib/paths.ts'
import EmptyNight from '#web/ui/art/empty-night.svg?react'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Notice, QueryFailure } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'

/** What happened to me, the latest first. */
export function NotificationsPage() {
  const list = useInfiniteQuery(notificationsQuery)
  const notifications = listOf(list.data)
  const { isNew, see, forget } = useReadBySight()
  const markAll = useMarkRead()
  const hasUnread = useUnreadCount() > 0 || notifications.some(isNew)
  const readAll = () => {
    forget()
    markAll.mutate({ all: true }, { onSettled: captureFocus() })
  }
  return (
    <div className="container-page max-w-3xl pt-6 pb-10 sm:pt-9">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <PageHeading>Notifications</PageHeading>
        <ButtonLink
          to={paths.notificationSettings}
          variant="ghost"
          className="-ml-4 sm:-mr-4 sm:ml-0"
          icon={<Settings2 aria-hidden="true" className="size-5" />}
        >
          Choisir ce qui m’est signalé
        </ButtonLink>
      </div>
      {notifications.length > 0 && (
        <Button
          variant="secondary"
          className="mt-3"
          icon={<CheckCheck aria-hidden="true" className="size-5" />}
          disabled={!hasUnread}
          onClick={readAll}
        >
          Tout marquer comme lu
        </Button>
      )}
      {markAll.error && (
        <Notice tone="error" className="mt-3">
          {errorSentence(markAll.error, 'Elles n’ont pas pu être marquées. Réessayez.')}
        </Notice>
      )}
      <div className="mt-6">
        {list.isPending && <NotificationRowsSkeleton />}
        {!list.data && list.error && (
          <QueryFailure query={list} title="Vos notifications n’ont pas pu être chargées" />
        )}
        {list.data && notifications.length === 0 && <NothingYet />}
        <Days notifications={notifications} isNew={isNew} onRead={see} />
        {list.hasNextPage && (
          <MoreButton
            list={list}
            isPause={(list.data?.pages.length ?? 0) % PAGES_BETWEEN_PAUSES === 0}
            label="Afficher plus de notifications"
          />
        )}
      </div>
    </div>
  )
}

function NothingYet() {
  return (
    <EmptyState
      art={EmptyNight}
      title="Rien pour l’instant"
      action={<ButtonLink to={paths.create}>Créer une révélation</ButtonLink>}
    >
      Une lettre qui vous attend, une réponse, une demande&nbsp;: ce qui vous arrive s’écrira ici.
    </EmptyState>
  )
}

interface DaysProps {
  notifications: Notification[]
  isNew: (notification: Notification) => boolean
  onRead: (id: string) => void
}

function Days({ notifications, isNew, onRead }: DaysProps) {
  const dayOf = useDays()
  return DAYS.map((day) => {
    const ofDay = notifications.filter(({ created_at }) => dayOf(created_at) === day)
    if (ofDay.length === 0) return null
    return (
      <section key={day} aria-label={day} className="mt-8 first:mt-0">
        <h2 className="mb-2 text-xl">{day}</h2>
        <ul className="flex flex-col gap-1.5">
          {ofDay.map((notification) => (
            <NearbyItem key={notification.id} id={notification.id}>
              <NotificationRow
                notification={notification}
                isNew={isNew(notification)}
                onRead={() => onRead(notification.id)}
              />
            </NearbyItem>
          ))}
        </ul>
      </section>
    )
  })
}

const DAYS = ['Aujourd’hui', 'Hier', 'Plus tôt'] as const
const DAY_MS = 86_400_000

/** By the calendar of this device, today as long as it lasts. */
function useDays(): (instant: string) => (typeof DAYS)[number] {
  const zone = browserTimeZone()
  const today = useTicking(useCallback(() => dayAt(new Date(serverNow()), zone), [zone]))
  const yesterday = new Date(Date.parse(today) - DAY_MS).toISOString().slice(0, 10)
  return (instant) => {
    const day = dayAt(new Date(instant), zone)
    if (day >= today) return 'Aujourd’hui'
    return day === yesterday ? 'Hier' : 'Plus tôt'
  }
}
