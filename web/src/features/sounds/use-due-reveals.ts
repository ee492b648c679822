import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import type { Sound } from '#contract/sounds.ts'
import { useIsPast } from '#web/lib/countdown.ts'
import { useAskUntil } from '#web/lib/use-ask-until.ts'
import { renewPageOf } from './sounds.queries.ts'

const NEVER = '9999-12-31T00:00:00.000Z'

/** Asks for each locked sound at its instant, so that it opens on the page; tells which ones did. */
export function useDueReveals(sounds: readonly Sound[], onOpened: (opened: Sound[]) => void): void {
  const client = useQueryClient()
  const next = useMemo(() => nextToOpen(sounds), [sounds])
  const isDue = useIsPast(next?.reveal_date ?? NEVER)
  useAskUntil(isDue, async () => {
    if (next) await renewPageOf(client, next.id)
  })
  const locked = useRef(new Set<string>())
  const tell = useEffectEvent(onOpened)
  useEffect(() => {
    const opened = sounds.filter(({ id, is_revealed }) => {
      if (!is_revealed) locked.current.add(id)
      return is_revealed && locked.current.delete(id)
    })
    if (opened.length > 0) tell(opened)
  }, [sounds])
}

function nextToOpen(sounds: readonly Sound[]): Sound | undefined {
  let next: Sound | undefined
  for (const sound of sounds) {
    if (sound.is_revealed || !sound.reveal_date) continue
    if (!next?.reveal_date || sound.reveal_date < next.reveal_date) next = sound
  }
  return next
}
