import { useQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useState } from 'react'
import { announcePresence, type Presence } from '#contract/presence.ts'
import type { Revelation } from '#contract/revelations.ts'
import { callApi } from '#web/lib/api-client.ts'
import { serverNow, useTicking } from '#web/lib/clock.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'
import { counted, formatList } from '#web/lib/format.ts'
import { usePageVisible } from '#web/lib/hooks.ts'
import { createId } from '#web/lib/ids.ts'

/**
 * « 4 personnes attendent avec vous ». It has its place while nobody waits, and no longer text than fits there, so that
 * nothing moves; it is read when one comes to it, and not aloud at each change.
 */
export function WaitingTogether({ revelation }: { revelation: Revelation }) {
  const presence = usePresence(revelation)
  return (
    <p className="mt-3 line-clamp-2 h-[2lh] text-balance text-ink-soft text-sm [overflow-wrap:anywhere] sm:line-clamp-1 sm:h-[1lh] print:hidden">
      {presence && inWords(presence)}
    </p>
  )
}

const NAMES = 2

function inWords({ waiting, people }: Presence): string {
  if (waiting === 0) return ''
  const names = people.slice(0, NAMES).map(({ pseudo }) => `@${pseudo}`)
  const others = waiting - names.length
  const rest =
    others === 1 ? 'une autre personne' : counted(others, 'autre personne', 'autres personnes')
  const verb = waiting === 1 ? 'attend' : 'attendent'
  if (names.length > 0) {
    return `${formatList(others > 0 ? [...names, rest] : names)} ${verb} avec vous`
  }
  const all = waiting === 1 ? 'Une personne' : counted(waiting, 'personne', 'personnes')
  return `${all} ${verb} avec vous`
}

const EVERY_MS = 20_000
/** Each page has its own pace, so that a crowd does not call all at once. */
const SPREAD_MS = 6_000
/** The last calls before the instant leave the server to those that open the letter. */
const QUIET_MS = 10_000

/** Who waits with this reader, while the page is visible; undefined until it is known. */
function usePresence({ id, reveal_date }: Revelation): Presence | undefined {
  const target = Date.parse(reveal_date)
  const isEarly = useCallback(() => target - serverNow() > QUIET_MS, [target])
  const isVisible = usePageVisible()
  const isActive = useTicking(isEarly) && isVisible
  // This page among those of its reader: another one for each letter, so that two letters have nobody in common.
  const [page] = useState(createId)
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
    if (isEarly()) leavePage(id, page)
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
function leavePage(id: string, page: string): void {
  const body = { page, leaving: true }
  const headers = deliveryKeyHeaders(id)
  callApi(announcePresence, { params: { id }, body }, { headers, keepalive: true }).catch(
    () => undefined,
  )
}
