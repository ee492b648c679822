import {
  type InfiniteData,
  infiniteQueryOptions,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import type { EndpointInput } from '#contract/endpoint.ts'
import {
  getNotificationSwitches,
  listNotifications,
  type Notification,
  type NotificationPage,
  type NotificationSwitches,
  readNotifications,
  saveNotificationSwitches,
  UNREAD_MAX,
} from '#contract/notifications.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { callApi } from '#web/lib/api-client.ts'
import { waitForPendingFetches } from '#web/lib/query-client.ts'

/** The key above every query of this feature. */
const NOTIFICATIONS_KEY = ['notifications'] as const
/** What came meanwhile is asked for by `refreshNotifications`, not by refetching every page of the list. */
const FRESH = Number.POSITIVE_INFINITY

const unreadQuery = queryOptions({
  queryKey: [...NOTIFICATIONS_KEY, 'unread'],
  queryFn: async ({ signal }) =>
    (await callApi(listNotifications, { querystring: { limit: 1 } }, { signal })).unread,
})

/** The latest first, page after page. */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: [...NOTIFICATIONS_KEY, 'list'],
  queryFn: async ({ client, pageParam, signal }) => {
    const page = await loadPage(pageParam, signal)
    client.setQueryData(unreadQuery.queryKey, page.unread)
    return page
  },
  initialPageParam: null as string | null,
  getNextPageParam: (last) => last.next_cursor,
  staleTime: FRESH,
})

function loadPage(cursor: string | null, signal?: AbortSignal): Promise<NotificationPage> {
  return callApi(
    listNotifications,
    { querystring: cursor ? { cursor } : {} },
    signal ? { signal } : {},
  )
}

/** How many are unread; undefined for a visitor, and until it is known. */
export function useUnread(): number | undefined {
  const { user } = useSession()
  const { data } = useQuery({ ...unreadQuery, enabled: user !== null })
  return user ? data : undefined
}

/** How many are unread, 0 until it is known. */
export function useUnreadCount(): number {
  return useUnread() ?? 0
}

type List = InfiniteData<NotificationPage>

/** Fetches the count and the first page again, for what came or was read elsewhere. */
export async function refreshNotifications(client: QueryClient): Promise<void> {
  await waitForPendingFetches(client, { queryKey: NOTIFICATIONS_KEY })
  if (!client.getQueryData(notificationsQuery.queryKey)) {
    await client.invalidateQueries({ queryKey: unreadQuery.queryKey })
    return
  }
  const newest = await loadPage(null)
  client.setQueryData(unreadQuery.queryKey, newest.unread)
  client.setQueryData(notificationsQuery.queryKey, (known) => known && withNewest(known, newest))
}

/** What follows the newest page stays as it was: its cursor goes on from there. */
function withNewest(known: List, newest: NotificationPage): List {
  const last = newest.notifications.at(-1)
  if (!last || newest.next_cursor === null) return { pages: [newest], pageParams: [null] }
  const ids = new Set(newest.notifications.map(({ id }) => id))
  const pages = known.pages.map((page) => ({
    ...page,
    notifications: page.notifications.filter(
      ({ id, created_at }) => !ids.has(id) && created_at <= last.created_at,
    ),
  }))
  const [first] = pages
  if (!first) return known
  first.notifications = [...newest.notifications, ...first.notifications]
  return { ...known, pages }
}

type Read = EndpointInput<typeof readNotifications>['body']

/** Marks at once; where the server could not be told, what it knows comes back. */
export function useMarkRead() {
  const client = useQueryClient()
  return useMutation({
    scope: { id: 'notifications-read' },
    // A tap on a notification leaves the page.
    mutationFn: (body: Read) => callApi(readNotifications, { body }, { keepalive: true }),
    onMutate: async (read) => {
      await client.cancelQueries({ queryKey: unreadQuery.queryKey })
      const list = client.getQueryData(notificationsQuery.queryKey)
      const marked = listOf(list).filter((one) => !one.read_at && isMeant(one, read)).length
      client.setQueryData(notificationsQuery.queryKey, (known) => known && withRead(known, read))
      client.setQueryData(unreadQuery.queryKey, (count) =>
        count === undefined || 'all' in read ? 0 : lessRead(count, marked),
      )
    },
    onSuccess: ({ unread }) => client.setQueryData(unreadQuery.queryKey, unread),
    onError: () => refreshNotifications(client).catch(() => undefined),
  })
}

/** As many or more are not counted one by one. */
function lessRead(count: number, marked: number): number {
  return count >= UNREAD_MAX ? count : Math.max(0, count - marked)
}

export function listOf(list: List | undefined): Notification[] {
  return list?.pages.flatMap(({ notifications }) => notifications) ?? []
}

function isMeant({ id, revelation_id }: Notification, read: Read): boolean {
  if ('ids' in read) return read.ids.includes(id)
  return 'all' in read || revelation_id === read.revelation_id
}

function withRead(list: List, read: Read): List {
  const read_at = new Date().toISOString()
  const mark = (one: Notification) =>
    !one.read_at && isMeant(one, read) ? { ...one, read_at } : one
  return {
    ...list,
    pages: list.pages.map((page) => ({ ...page, notifications: page.notifications.map(mark) })),
  }
}

export const notificationSwitchesQuery = queryOptions({
  queryKey: [...NOTIFICATIONS_KEY, 'switches'],
  queryFn: ({ signal }) => callApi(getNotificationSwitches, {}, { signal }),
})

type SwitchChange = EndpointInput<typeof saveNotificationSwitches>['body']

/** Saves each switch at once, optimistically. */
export function useSaveNotificationSwitches() {
  const client = useQueryClient()
  const { queryKey } = notificationSwitchesQuery
  const patch = ({ page, push }: SwitchChange) =>
    client.setQueryData(
      queryKey,
      (known): NotificationSwitches | undefined =>
        known && { page: { ...known.page, ...page }, push: { ...known.push, ...push } },
    )
  return useMutation({
    // In order: the last change of a switch must be saved last.
    scope: { id: 'notification-switches' },
    mutationFn: (body: SwitchChange) => callApi(saveNotificationSwitches, { body }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey })
      patch(change)
    },
    onSuccess: (_, { page }) => {
      // What a page shows without this kind is another list, further pages included.
      if (page) client.removeQueries({ queryKey: notificationsQuery.queryKey })
    },
    onError: (_, { page, push }) => patch({ page: opposite(page), push: opposite(push) }),
  })
}

function opposite(switches: SwitchChange['page']): SwitchChange['page'] {
  return Object.fromEntries(Object.entries(switches ?? {}).map(([kind, isOn]) => [kind, !isOn]))
}
