import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { announcePresence, type Presence } from '#contract/presence.ts'
import type { Revelation } from '#contract/revelations.ts'
import { callApi } from '#web/lib/api-client.ts'
import { serverNow, useTicking } from '#web/lib/clock.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'
import { usePageVisible } from '#web/lib/hooks.ts'
import { createId } from '#web/lib/ids.ts'

const EVERY_MS = 20_000
/** Each page has its own pace, so that a crowd does not call all at once. */
const SPREAD_MS = 6_000
/** The last calls before the instant leave the server to those that open the letter. */
const QUIET_MS = 10_000

/** This page, among those of its reader. */
const page = createId()

/** Who waits with this reader, while the page is visible; undefined until it is known. */
export function usePresence({ id, reveal_date }: Revelation): Presence | undefined {
  const target = Date.parse(reveal_date)
  const isEarly = useCallback(() => target - serverNow() > QUIET_MS, [target])
  const isVisible = usePageVisible()
  const isActive = useTicking(isEarly) && isVisible
  const [everyMs] = useState(() => EVERY_MS + (Math.random() - 0.5) * SPREAD_MS)
  const { data } = useQuery({
    queryKey: ['presence', id],
    queryFn: ({ signal }) =>
      callApi(
        announcePresence,
        { params: { id }, body: { page } },
        { signal, headers: deliveryKeyHeaders(id) },
      ),
    enabled: isActive,
    refetchInterval: everyMs,
    refetchOnWindowFocus: false,
    staleTime: 0,
    gcTime: 0,
  })
  const leave = useEffectEvent(() => {
    if (isEarly()) leavePage(id)
  })
  useEffect(() => {
    if (!isActive) return
    let hasLeft = false
    const onLeave = () => {
      if (!hasLeft) leave()
      hasLeft = true
    }
    addEventListener('pagehide', onLeave)
    return () => {
      removeEventListener('pagehide', onLeave)
      onLeave()
    }
  }, [isActive])
  return data
}

/** Outlives the page. What does not arrive is forgotten within a minute. */
function leavePage(id: string): void {
  const body = { page, leaving: true }
  const headers = deliveryKeyHeaders(id)
  callApi(announcePresence, { params: { id }, body }, { headers, keepalive: true }).catch(
    () => undefined,
  )
}
