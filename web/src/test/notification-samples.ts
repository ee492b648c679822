import {
  NOTIFICATION_KINDS,
  type Notification,
  type NotificationPage,
  type NotificationSwitches,
} from '#contract/notifications.ts'

let lastId = 0

/** Somebody reacted, just now, and nobody read it. */
export function aNotification(overrides: Partial<Notification> = {}): Notification {
  lastId += 1
  return {
    id: `notification-${lastId}`,
    kind: 'reaction',
    text: '@noemie a réagi à l’une de vos révélations.',
    url: '/revelation/revelation-of-mine',
    revelation_id: 'revelation-of-mine',
    actor: { id: 'user-noemie', pseudo: 'noemie', avatar_url: null },
    count: 1,
    created_at: new Date().toISOString(),
    read_at: null,
    ...overrides,
  }
}

/** The only page, or the first of several. */
export function aNotificationPage(
  notifications: Notification[],
  overrides: Partial<NotificationPage> = {},
): NotificationPage {
  const unread = notifications.filter(({ read_at }) => read_at === null).length
  return { notifications, next_cursor: null, unread, ...overrides }
}

/** Everything is told, everywhere. */
export function allSwitches(): NotificationSwitches {
  const all = Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => [kind, true]),
  ) as NotificationSwitches['page']
  return { page: { ...all }, push: { ...all } }
}
