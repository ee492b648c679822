import type { Query, QueryClient } from '@tanstack/react-query'
import { type RevelationChanged, revelationChangedSchema } from '#contract/events.ts'
import { REVEALS_KEY } from '#web/features/calendar/calendar.queries.ts'
import { CIRCLE_KEY } from '#web/features/circle/circle.queries.ts'
import {
  commentsQuery,
  isCommenting,
  listShownComments,
  refreshComments,
} from '#web/features/comments/comments.queries.ts'
import { refreshNotifications } from '#web/features/notifications/notifications.queries.ts'
import { isVoting } from '#web/features/predictions/predictions.queries.ts'
import { isReacting, reactionsQuery } from '#web/features/reactions/reactions.queries.ts'
import { repliesQuery } from '#web/features/replies/replies.queries.ts'
import {
  idsInUse,
  isLongList,
  patchRevelation,
  RECEIVED_KEY,
  REVELATIONS_KEY,
} from '#web/features/revelations/revelation-cache.ts'
import { reloadRevelation, revelationQuery } from '#web/features/revelations/revelations.queries.ts'
import { VOICE_MESSAGES_KEY } from '#web/features/voice-messages/voice-message-cache.ts'
import { getFetchingQueries, waitForPendingFetches } from '#web/lib/query-client.ts'

/** However lively a revelation is, its page fetches what changed once in this time. */
const REST_MS = 1000

type Change = RevelationChanged['changed'][number]

/** Brings what this page shows up to date, event by event. */
export function createLiveHandlers(client: QueryClient) {
  const resting = new Map<string, { timer: ReturnType<typeof setTimeout>; waiting: Set<Change> }>()
  let isStopped = false
  const soundsRest = createRest(() => refetchVoiceMessages(client))
  const notificationsRest = createRest(() => refetchNotifications(client))

  function apply(id: string, changes: Iterable<Change>): void {
    const rest = resting.get(id)
    if (rest) {
      for (const change of changes) rest.waiting.add(change)
      return
    }
    void refetch(client, id, new Set(changes))
    const timer = setTimeout(() => {
      const waiting = resting.get(id)?.waiting
      resting.delete(id)
      if (waiting?.size) apply(id, waiting)
    }, REST_MS)
    resting.set(id, { timer, waiting: new Set() })
  }

  return {
    async onRevelation(data: string): Promise<void> {
      const event = revelationChangedSchema.safeParse(parse(data))
      if (!event.success) return
      await waitForPendingFetches(client, { queryKey: REVELATIONS_KEY })
      if (isStopped || !idsInUse(client).includes(event.data.id)) return
      showCounts(client, event.data)
      apply(event.data.id, event.data.changed)
    },
    /** These are followed from now on: what a page of one shows may have changed since it was fetched. */
    onWatched(ids: string[]): void {
      for (const id of ids) {
        const { queryKey } = revelationQuery(id)
        const isOpen = client.getQueryCache().find({ queryKey, type: 'active' })
        if (isOpen) apply(id, ['state', 'reactions', 'comments'])
      }
    },
    onSounds: soundsRest.wake,
    onNotifications: notificationsRest.wake,
    stop(): void {
      isStopped = true
      soundsRest.stop()
      notificationsRest.stop()
      for (const { timer } of resting.values()) clearTimeout(timer)
      resting.clear()
    },
  }
}

/** Does `work` at once, then at most once in a while, however often it is woken. */
function createRest(work: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isWaiting = false
  function wake(): void {
    isWaiting = timer !== undefined
    if (isWaiting) return
    work()
    timer = setTimeout(() => {
      timer = undefined
      if (isWaiting) wake()
    }, REST_MS)
  }
  return { wake, stop: () => clearTimeout(timer) }
}

/** The voices, and what their instants and figures are part of. What plays goes on: its file is the same. */
function refetchVoiceMessages(client: QueryClient): void {
  for (const queryKey of [VOICE_MESSAGES_KEY, CIRCLE_KEY, REVEALS_KEY]) {
    void waitForPendingFetches(client, { queryKey }).then(() =>
      client.invalidateQueries({ queryKey }),
    )
  }
}

/** What happened to me may be a letter that came or opened. */
function refetchNotifications(client: QueryClient): void {
  void refreshNotifications(client).catch(() => undefined)
  void client.invalidateQueries({
    queryKey: RECEIVED_KEY,
    predicate: (query) => !isLongList(query),
  })
}

/** Counts may be shown as they come, unless my own tap is on its way and already counted here. */
function showCounts(client: QueryClient, event: RevelationChanged): void {
  const { id, reactions_count, comments_count, votes } = event
  patchRevelation(client, id, {
    ...(reactions_count !== undefined && !isReacting(client, id) && { reactions_count }),
    ...(comments_count !== undefined && !isCommenting(client, id) && { comments_count }),
  })
  if (!votes || isVoting(client, id)) return
  patchRevelation(client, id, ({ prediction }) => ({
    prediction: prediction && { ...prediction, votes },
  }))
}

/** What cannot be fetched now is fetched with the next change. */
async function refetch(client: QueryClient, id: string, changes: Set<Change>): Promise<void> {
  const fetches: Promise<unknown>[] = []
  if (changes.has('state')) {
    fetches.push(
      reloadRevelation(client, id),
      // Of a letter that is one’s own: a reply came, or went.
      client.invalidateQueries({ queryKey: repliesQuery(id).queryKey }),
    )
  }
  if (changes.has('reactions') && !isReacting(client, id)) {
    fetches.push(client.invalidateQueries({ queryKey: reactionsQuery(id).queryKey }))
  }
  if (changes.has('comments') && client.getQueryState(commentsQuery(id).queryKey)) {
    fetches.push(refreshComments(client, id))
  }
  await Promise.allSettled(fetches)
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data)
  } catch {
    return undefined
  }
}

const isShownAnswer = (query: Query) =>
  !['session', 'comments', 'notifications'].includes(String(query.queryKey[0])) &&
  !isLongList(query)

/**
 * Refetches what this page shows, which may have changed without an event. Many pages of a list stay as they are, under
 * the reader’s thumb; of comments and notifications the newest are fetched.
 */
export function refetchVisible(client: QueryClient): void {
  const pending = getFetchingQueries(client, { predicate: isShownAnswer }).filter(
    ({ state }) => !state.data,
  )
  void client.invalidateQueries({ predicate: isShownAnswer })
  // A first fetch under way is not invalidated, and its answer may be older than the event.
  for (const { promise, queryKey } of pending) {
    void promise?.then(
      () => client.invalidateQueries({ queryKey, exact: true }),
      () => undefined,
    )
  }
  void refreshNotifications(client).catch(() => undefined)
  for (const id of listShownComments(client))
    void refreshComments(client, id).catch(() => undefined)
}
