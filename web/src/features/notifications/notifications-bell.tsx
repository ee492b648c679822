import { Bell } from 'lucide-react'
import { NavLink } from 'react-router'
import { UNREAD_MAX } from '#contract/notifications.ts'
import { counted } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { CountBadge } from '#web/ui/badge.tsx'
import { useUnreadCount } from './notifications.queries.ts'

/** Leads to the notifications, and counts the unread ones; as large without a count as with one. */
export function NotificationsBell() {
  const count = useUnreadCount()
  const label = labelOf(count)
  return (
    <NavLink
      to={paths.notifications}
      aria-label={label}
      title={label}
      className="relative inline-flex size-11 shrink-0 items-center justify-center rounded-field text-ink-soft transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:text-ink"
    >
      <Bell aria-hidden="true" className="size-6" />
      {count > 0 && (
        <span className="absolute top-0 left-1/2">
          <CountBadge count={count} max={UNREAD_MAX} />
        </span>
      )}
    </NavLink>
  )
}

function labelOf(count: number): string {
  if (count === 0) return 'Notifications'
  if (count >= UNREAD_MAX) return `${UNREAD_MAX} notifications non lues, ou plus`
  return counted(count, 'notification non lue', 'notifications non lues')
}
