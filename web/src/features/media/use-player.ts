import { type RefObject, useEffect, useRef, useState } from 'react'
import { useHydrated } from '#web/lib/hooks.ts'

export type PlayerState = 'loading' | 'ready' | 'buffering' | 'failed'

/** A player that renews its address when the ticket expires, and continues at the same position. */
export function usePlayer<Element extends HTMLMediaElement>(url: string, renew: RenewUrl) {
  const media = useRef<Element>(null) as RefObject<Element | null>
  const { source, refresh } = useFreshSource(url, renew)
  const isHydrated = useHydrated()
  const [state, setState] = useState<PlayerState>('loading')
  const savedPosition = useRef<{ time: number; wasPlaying: boolean }>(undefined)
  const isStarting = useRef(true)
  const isPlaying = useIsPlaying(media, state)

  const savePosition = () => {
    const player = media.current
    if (player && !savedPosition.current) {
      savedPosition.current = {
        time: player.currentTime,
        wasPlaying: isPlaying.current && !isStarting.current,
      }
    }
  }
  const handlers = {
    // Another file may replace one that failed.
    onLoadStart: () => setState('loading'),
    onLoadedMetadata: () => {
      const player = media.current
      const saved = savedPosition.current
      savedPosition.current = undefined
      isStarting.current = false
      if (player && saved) {
        player.currentTime = saved.time
        if (saved.wasPlaying) player.play().catch(() => undefined)
      }
      setState('ready')
    },
    onWaiting: () => setState('buffering'),
    onPlaying: () => setState('ready'),
    onCanPlay: () => setState('ready'),
    onError: async () => {
      savePosition()
      setState('loading')
      if (!(await refresh())) setState('failed')
    },
  }
  const retry = async () => {
    setState('loading')
    if (!(await refresh())) media.current?.load()
  }
  /** What a person asked for: it plays from there, under another address too. */
  const start = (fromSeconds?: number) => {
    const player = media.current
    if (!player) return
    isStarting.current = false
    if (fromSeconds !== undefined) {
      if (player.readyState > 0) player.currentTime = fromSeconds
      else savedPosition.current = { time: fromSeconds, wasPlaying: true }
    }
    player.play().catch(() => undefined)
  }
  return {
    media,
    source,
    // On a page that the server rendered, the file must not load before its handlers are attached.
    preload: isHydrated ? ('metadata' as const) : ('none' as const),
    state,
    handlers,
    retry,
    start,
    savePosition,
  }
}

/** Chromium pauses what fails before it says so: `paused` cannot tell whether a person did. `state`: a failed element may be another one later. */
function useIsPlaying(media: RefObject<HTMLMediaElement | null>, state: PlayerState) {
  const isPlaying = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    const player = media.current
    if (!player) return
    isPlaying.current = !player.paused
    const stop = new AbortController()
    const note = (plays: boolean) => () => {
      isPlaying.current = plays
    }
    player.addEventListener('play', note(true), { signal: stop.signal })
    player.addEventListener('pause', note(false), { signal: stop.signal })
    return () => stop.abort()
  }, [media, state])
  return isPlaying
}

/** Fetches a new address of the same file, with a new ticket; null when there is none any more. */
export type RenewUrl = () => Promise<string | null>

/** A stable address: a new ticket for the same file does not restart the player. `refresh` fetches a new one after a refusal. */
export function useFreshSource(url: string, renew: RenewUrl) {
  const [source, setSource] = useState(url)
  if (fileOf(url) !== fileOf(source)) setSource(url)
  /** Returns whether there is a new address, which the player loads by itself. */
  const refresh = async (): Promise<boolean> => {
    const fresh = await renew().catch(() => null)
    if (!fresh || fresh === source) return false
    setSource(fresh)
    return true
  }
  return { source, refresh }
}

/** The file of an address, whatever its ticket. */
export function fileOf(url: string): string {
  return url.split('?')[0] ?? url
}

/** Pauses all other players of the page. */
export function playAlone(player: HTMLMediaElement): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>('video, audio')) {
    if (other !== player && !other.paused) other.pause()
  }
}
