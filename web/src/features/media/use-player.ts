import { type RefObject, useRef, useState } from 'react'
import { useTakenOver } from '#web/lib/use-taken-over.ts'
import { type RenewUrl, useFreshSource } from './use-fresh-source.ts'

export type PlayerState = 'loading' | 'ready' | 'buffering' | 'failed'

/** A video or a sound whose address is renewed when its ticket dies, at the same place in the film. */
export function usePlayer<Element extends HTMLMediaElement>(url: string, renew: RenewUrl) {
  const media = useRef<Element>(null) as RefObject<Element | null>
  const { source, freshen } = useFreshSource(url, renew)
  // Where the server rendered the page, the file waits for its handlers: they would miss that it came, or was refused.
  const isTakenOver = useTakenOver()
  const [state, setState] = useState<PlayerState>('loading')
  const place = useRef<{ time: number; wasPlaying: boolean }>(undefined)
  const isStarting = useRef(true)

  const rememberPlace = () => {
    const player = media.current
    if (player && !place.current) {
      place.current = {
        time: player.currentTime,
        wasPlaying: !player.paused && !isStarting.current,
      }
    }
  }
  const handlers = {
    // Another file has taken the place of one that failed.
    onLoadStart: () => setState('loading'),
    onLoadedMetadata: () => {
      const player = media.current
      const back = place.current
      place.current = undefined
      isStarting.current = false
      if (player && back) {
        player.currentTime = back.time
        if (back.wasPlaying) player.play().catch(() => undefined)
      }
      setState('ready')
    },
    onWaiting: () => setState('buffering'),
    onPlaying: () => setState('ready'),
    onCanPlay: () => setState('ready'),
    onError: async () => {
      rememberPlace()
      setState('loading')
      if (!(await freshen())) setState('failed')
    },
  }
  const retry = async () => {
    setState('loading')
    if (!(await freshen())) media.current?.load()
  }
  return {
    media,
    source: isTakenOver ? source : undefined,
    state,
    handlers,
    retry,
    rememberPlace,
  }
}
