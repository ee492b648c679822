import { useInfiniteQuery } from '@tanstack/react-query'
import { Settings2 } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import type { Notification } from '#contract/notifications.ts'
import { addDays, dayAt } from '#contract/zoned-time.ts'
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
    markAll.mutate({ all: true })
  }
  return (
    // As tall as a screen, whatever comes: the footer does not move under a reader.
    <div className="container-page min-h-dvh max-w-3xl pt-6 pb-10 sm:pt-9">
      <div className="flex items-center justify-between gap-4">
        <PageHeading>Notifications</PageHeading>
        <ButtonLink
          to={paths.notificationSettings}
          variant="ghost"
          className="-mr-3 sm:-mr-4 max-sm:px-3"
          icon={<Settings2 aria-hidden="true" className="size-5 shrink-0" />}
        >
          <span className="max-sm:sr-only">Choisir ce qui m’est signalé</span>
        </ButtonLink>
      </div>
      {markAll.error && (
        <Notice tone="error" className="mt-3">
          {errorSentence(markAll.error, 'Elles n’ont pas pu être marquées. Réessayez.')}
        </Notice>
      )}
      <div className="pt-2">
        {list.isPending && <NotificationRowsSkeleton />}
        {!list.data && list.error && (
          <QueryFailure
            query={list}
            className="mt-4"
            title="Vos notifications n’ont pas pu être chargées"
          />
        )}
        {list.data && notifications.length === 0 && <NothingYet />}
        <Days
          notifications={notifications}
          isNew={isNew}
          onRead={see}
          readAll={
            <Button variant="ghost" className="-mr-4" disabled={!hasUnread} onClick={readAll}>
              Tout marquer comme lu
            </Button>
          }
        />
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
      Une lettre qui vous attend, une réponse, une demande&#8239;: ce qui vous arrive s’écrira ici.
    </EmptyState>
  )
}

interface DaysProps {
  notifications: Notification[]
  isNew: (notification: Notification) => boolean
  onRead: (id: string) => void
  /** Beside the name of the first day. */
  readAll: ReactNode
}

function Days({ notifications, isNew, onRead, readAll }: DaysProps) {
  const dayOf = useDays()
  const days = DAYS.map((day) => ({
    day,
    ofDay: notifications.filter(({ created_at }) => dayOf(created_at) === day),
  })).filter(({ ofDay }) => ofDay.length > 0)
  return days.map(({ day, ofDay }, index) => (
    <section key={day} aria-label={day} className="mt-6 first:mt-0">
      <div className="mb-1 flex min-h-11 flex-wrap items-center justify-between gap-x-4">
        <h2 className="text-xl">{day}</h2>
        {index === 0 && readAll}
      </div>
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
  ))
}

const DAYS = ['Aujourd’hui', 'Hier', 'Plus tôt'] as const

/** By the calendar of this device, today as long as it lasts. */
function useDays(): (instant: string) => (typeof DAYS)[number] {
  const zone = browserTimeZone()
  const today = useTicking(useCallback(() => dayAt(new Date(serverNow()), zone), [zone]))
  const yesterday = addDays(today, -1)
  return (instant) => {
    const day = dayAt(new Date(instant), zone)
    if (day >= today) return 'Aujourd’hui'
    return day === yesterday ? 'Hier' : 'Plus tôt'
  }
}
