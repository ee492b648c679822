import {
  CalendarClock,
  CircleCheck,
  Flag,
  Heart,
  Hourglass,
  type LucideIcon,
  Mail,
  MailWarning,
  MessageCircle,
  Reply,
  Sunrise,
  UserPlus,
} from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Link } from 'react-router'
import type { Notification, NotificationKind } from '#contract/notifications.ts'
import { serverNow } from '#web/lib/clock.ts'
import { browserTimeZone, formatRelative, formatShortInstant } from '#web/lib/dates.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { useSight } from './reading.ts'

const ICONS: Record<NotificationKind, LucideIcon> = {
  letter_waiting: Mail,
  letter_announced: CalendarClock,
  reply: Reply,
  comment: MessageCircle,
  reaction: Heart,
  request: UserPlus,
  request_accepted: CircleCheck,
  revealed: Sunrise,
  delivery_failed: MailWarning,
  unopened: Hourglass,
  moderation: Flag,
}

interface NotificationRowProps {
  notification: Notification
  /** It was unread when this page found it. */
  isNew: boolean
  /** It is read: seen for a moment, or followed. */
  onRead: () => void
}

/** What happened, and the way to where it did. */
export function NotificationRow({ notification, isNew, onRead }: NotificationRowProps) {
  const { text, url, created_at, read_at } = notification
  const row = useRef<HTMLAnchorElement>(null)
  const isUnread = read_at === null
  useSight(row, isUnread, onRead)
  return (
    <Link
      ref={row}
      to={url}
      onClick={() => isUnread && onRead()}
      className={classNames(
        'flex min-h-18 items-start gap-3.5 rounded-card border p-3.5 text-ink transition-colors hover:border-line-strong sm:gap-4 sm:p-4',
        isNew ? 'border-line bg-surface shadow-soft' : 'border-transparent',
      )}
    >
      <Picture notification={notification} />
      <span className="min-w-0 flex-1">
        <span
          className={classNames(
            'block leading-snug [overflow-wrap:anywhere]',
            isNew && 'font-semibold',
          )}
        >
          {text}
        </span>
        <span className="mt-1 flex flex-wrap items-center gap-x-2.5 gap-y-1 text-ink-soft text-sm">
          <time dateTime={created_at} title={formatShortInstant(created_at, browserTimeZone())}>
            {formatRelative(created_at, serverNow())}
          </time>
          {isNew && <NewMark />}
        </span>
      </span>
    </Link>
  )
}

function NewMark() {
  return (
    <span className="inline-flex items-center gap-1.5 font-semibold text-ink">
      <span aria-hidden="true" className="size-2 rounded-full bg-current" />
      Nouvelle
    </span>
  )
}

/** The face of the latest person, with the kind in its corner; else the kind alone. */
function Picture({ notification: { kind, actor } }: { notification: Notification }) {
  const Icon = ICONS[kind]
  if (!actor) {
    return (
      <Round className="size-11 bg-sunken">
        <Icon className="size-5.5" />
      </Round>
    )
  }
  return (
    <span className="relative shrink-0">
      <Avatar name={actor.pseudo} src={actor.avatar_url} className="size-11" />
      <Round className="-right-1.5 -bottom-1.5 absolute size-6 bg-surface">
        <Icon className="size-3.5" />
      </Round>
    </span>
  )
}

function Round({ className, children }: { className: string; children: ReactNode }) {
  return (
    <span
      aria-hidden="true"
      className={classNames(
        'inline-flex shrink-0 items-center justify-center rounded-full border border-line text-ink-soft',
        className,
      )}
    >
      {children}
    </span>
  )
}

/** The place of rows that are on their way. */
export function NotificationRowsSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement des notifications</span>
      <span className="mb-1 flex min-h-11 items-center">
        <Skeleton className="h-6 w-32" />
      </span>
      {['w-11/12', 'w-3/5', 'w-4/5', 'w-2/3', 'w-3/4', 'w-1/2'].map((width) => (
        <span key={width} className="flex min-h-18 items-start gap-3.5 p-3.5 sm:gap-4 sm:p-4">
          <Skeleton className="size-11 shrink-0 rounded-full!" />
          <span className="flex flex-1 flex-col gap-2 pt-0.5">
            <Skeleton className={classNames('h-5', width)} />
            <Skeleton className="h-4 w-24" />
          </span>
        </span>
      ))}
    </div>
  )
}
