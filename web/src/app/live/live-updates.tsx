import { notifyManager, type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react'
import { useMatch } from 'react-router'
import { WATCHED_MAX } from '#contract/events.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { useAppBadge } from '#web/features/notifications/app-badge.ts'
import { useReadByVisit } from '#web/features/notifications/reading.ts'
import { loadPushRegistration } from '#web/features/push/push-storage.ts'
import { idsInUse } from '#web/features/revelations/revelation-cache.ts'
import { usePageVisible } from '#web/lib/hooks.ts'
import { paths } from '#web/lib/paths.ts'
import { createLiveHandlers, refetchVisible } from './live-handlers.ts'
import { followEvents } from './sse-client.ts'

/**
 * Updates the open page of a signed-in person by one stream of events; shows nothing itself. A hidden page follows
 * nothing, for the battery and the few connections of a browser, and refetches when it is shown again.
 */
export function LiveUpdates() {
  const client = useQueryClient()
  const isVisible = usePageVisible()
  const shown = useShownRevelations()
  usePushRenewal()
  useAppBadge()
  const visitedId = useMatch(paths.revelation(':id'))?.params.id ?? ''
  useReadByVisit(visitedId, visitedId !== '' && shown.includes(visitedId))
  const connection = useRef<LiveConnection>(undefined)

  useEffect(() => {
    if (!isVisible) return
    const opened = openLiveConnection(client)
    connection.current = opened
    return () => {
      connection.current = undefined
      opened.close()
    }
  }, [client, isVisible])

  useEffect(() => {
    if (isVisible) connection.current?.watch(shown)
  }, [isVisible, shown])

  return null
}

/** Cards come by the page while one scrolls: the stream changes once they have settled. */
const SETTLED_MS = 1000

interface LiveConnection {
  /** Follows the revelations of this list of ids between commas besides one’s own. */
  watch(shown: string): void
  close(): void
}

/** One stream of events, and another in its place whenever the page shows something else. */
function openLiveConnection(client: QueryClient): LiveConnection {
  const handlers = createLiveHandlers(client)
  let leave: (() => void) | undefined
  let watched: string | undefined
  /** The revelations of the stream that is open. */
  let followed: string[] | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function follow(shown: string): void {
    const ids = shown ? shown.split(',') : []
    watched = shown
    let leaveFormer = leave
    const stop = followEvents(ids, {
      onReady: (isAgain) => {
        // The former stream is left only now, so that nothing happens between the two.
        leaveFormer?.()
        leaveFormer = undefined
        const former = followed
        followed = ids
        if (!former || isAgain) refetchVisible(client)
        else handlers.onWatched(ids.filter((id) => !former.includes(id)))
      },
      onEvent: (name, data) => {
        if (name === 'revelation') void handlers.onRevelation(data)
        if (name === 'relationships') refetchVisible(client)
        if (name === 'sounds') handlers.onSounds()
        if (name === 'notifications') handlers.onNotifications()
      },
    })
    leave = () => {
      leaveFormer?.()
      stop()
    }
  }

  return {
    watch(shown) {
      clearTimeout(timer)
      if (shown === watched) return
      timer = setTimeout(() => follow(shown), watched ? SETTLED_MS : 0)
    },
    close() {
      clearTimeout(timer)
      leave?.()
      handlers.stop()
    },
  }
}

/** The ids of the revelations this page shows, between commas: the same text as long as they are the same. */
function useShownRevelations(): string {
  const client = useQueryClient()
  const subscribe = useCallback(
    // Not at once: a query is created, and its observers notified, while what shows it renders.
    (onChange: () => void) => client.getQueryCache().subscribe(notifyManager.batchCalls(onChange)),
    [client],
  )
  return useSyncExternalStore(subscribe, () => shown(client))
}

function shown(client: QueryClient): string {
  // Sorted, so that cards that change places are not new ones.
  return idsInUse(client).slice(-WATCHED_MAX).sort().join()
}

/** Loads nothing for a person who asked for no notifications on this device. */
function usePushRenewal(): void {
  const userId = useSession().user?.id
  const client = useQueryClient()
  useEffect(() => {
    if (userId === undefined || loadPushRegistration()?.userId !== userId) return
    let stop: (() => void) | undefined
    let isOver = false
    import('#web/features/push/push-subscription.ts').then(
      ({ startPushRenewal }) => {
        if (isOver) return
        stop = startPushRenewal(userId, () => client.invalidateQueries({ queryKey: ['push'] }))
      },
      () => undefined,
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [client, userId])
}
