import { type RefObject, useCallback, useEffect, useEffectEvent, useRef, useState } from 'react'
import { usePageVisible } from '#web/lib/hooks.ts'
import { useMarkRead, useUnreadCount } from './notifications.queries.ts'

/** In view for so long, it was read. */
const SEEN_MS = 1_000
/** What comes into view together is sent in one call. */
const TOGETHER_MS = 500

/** Reads what is about a revelation while its page is shown, and what happens meanwhile. */
export function useReadByVisit(revelationId: string, isShown: boolean): void {
  const unread = useUnreadCount()
  const isVisible = usePageVisible()
  const { mutate: markRead } = useMarkRead()
  const known = useRef(0)
  const visited = useRef(revelationId)
  useEffect(() => {
    if (visited.current !== revelationId) known.current = 0
    visited.current = revelationId
    if (!isShown || !isVisible) return
    // What a visit leaves unread is about something else.
    const hasMore = unread > known.current
    known.current = unread
    if (hasMore) markRead({ revelation_id: revelationId })
  }, [revelationId, isShown, isVisible, unread, markRead])
}

/**
 * Reads what is seen on the page of notifications. `isNew` says which of them keep their mark: those that were unread when
 * they were seen, until the page is left.
 */
export function useReadBySight() {
  const { mutate: markRead } = useMarkRead()
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set())
  const waiting = useRef(new Set<string>())
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const flush = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = undefined
    const ids = [...waiting.current]
    waiting.current.clear()
    if (ids.length > 0) markRead({ ids })
  }, [markRead])
  useEffect(() => flush, [flush])
  const see = useCallback(
    (id: string) => {
      waiting.current.add(id)
      setSeen((known) => new Set([...known, id]))
      timer.current ??= setTimeout(flush, TOGETHER_MS)
    },
    [flush],
  )
  return {
    isNew: ({ id, read_at }: { id: string; read_at: string | null }) => !read_at || seen.has(id),
    see,
    forget: () => setSeen(new Set()),
  }
}

/** Calls back once the element was in view for a moment, on a page that is looked at. */
export function useSight(
  element: RefObject<HTMLElement | null>,
  isAwaited: boolean,
  onSeen: () => void,
): void {
  const seen = useEffectEvent(onSeen)
  const isVisible = usePageVisible()
  useEffect(() => {
    if (!isAwaited || !isVisible || !element.current) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        clearTimeout(timer)
        if (entry?.isIntersecting) timer = setTimeout(() => seen(), SEEN_MS)
      },
      { threshold: 0.6 },
    )
    observer.observe(element.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [element, isAwaited, isVisible])
}
