import { type KeyboardEvent, useEffect, useEffectEvent } from 'react'
import { SITE_NAME } from '#web/lib/site.ts'
import type { VoicePlayer } from './use-voice-player.ts'

const STEP_SECONDS = 5

/** The shortcuts of the player and its list. A key that the focused element uses itself does nothing more. */
export function usePlayerKeys(player: VoicePlayer) {
  return (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (!(event.target instanceof Element) || hasOwnKeys(event.target, event.key)) return
    const action = actionOf(player, event.key)
    if (!action) return
    event.preventDefault()
    action()
  }
}

function actionOf(player: VoicePlayer, key: string): (() => void) | undefined {
  switch (key.toLowerCase()) {
    case ' ':
    case 'k':
      return player.toggle
    case 'n':
      return player.next
    case 'p':
      return player.previous
    case 'm':
      return player.toggleMuted
    case 's':
      return player.toggleShuffle
    case 'arrowleft':
      return () => player.seekBy(-STEP_SECONDS)
    case 'arrowright':
      return () => player.seekBy(STEP_SECONDS)
    default:
      return undefined
  }
}

function hasOwnKeys(target: Element, key: string): boolean {
  if (target.closest('input:not([type=range]), textarea, select, [contenteditable]')) return true
  const layer = target.closest('[role=menu], [role=dialog], [role=alertdialog]')
  if (layer && !layer.querySelector('[data-player-sheet]')) return true
  if (key === ' ') return target.closest('button, a, summary, [role=button]') !== null
  return key.startsWith('Arrow') && target.closest('input, [role=slider]') !== null
}

const LOCK_SCREEN_STEP_SECONDS = 10

/** Shows the player on the lock screen, a headset and a car, and follows their buttons. */
export function useMediaSession(player: VoicePlayer): void {
  const { current, hasPlayed, isPlaying, media, length } = player
  const act = useEffectEvent((details: MediaSessionActionDetails) => {
    const step = details.seekOffset ?? LOCK_SCREEN_STEP_SECONDS
    if (details.action === 'play' && current) player.play(current.id)
    if (details.action === 'pause' || details.action === 'stop') player.pause()
    if (details.action === 'nexttrack') player.next()
    if (details.action === 'previoustrack') player.previous()
    if (details.action === 'seekbackward') player.seekBy(-step)
    if (details.action === 'seekforward') player.seekBy(step)
    if (details.action === 'seekto') player.seek(details.seekTime ?? 0)
  })
  useEffect(() => {
    if (!hasPlayed || !('mediaSession' in navigator)) return
    for (const action of ACTIONS) setActionHandler(action, (details) => act(details))
    return () => {
      for (const action of ACTIONS) setActionHandler(action, null)
      navigator.mediaSession.metadata = null
      navigator.mediaSession.playbackState = 'none'
    }
  }, [hasPlayed])

  const title = current?.title
  const artist = current?.author_pseudo
  const picture = current?.author_avatar
  useEffect(() => {
    if (!hasPlayed || !title || !('mediaSession' in navigator)) return
    navigator.mediaSession.metadata = new MediaMetadata({
      title,
      artist: `@${artist}`,
      album: SITE_NAME,
      ...(picture && { artwork: [{ src: picture }] }),
    })
  }, [hasPlayed, title, artist, picture])

  useEffect(() => {
    if (!hasPlayed || !('mediaSession' in navigator)) return
    navigator.mediaSession.playbackState = isPlaying ? 'playing' : 'paused'
  }, [hasPlayed, isPlaying])

  useEffect(() => {
    const element = media.current
    if (!hasPlayed || !element || !('mediaSession' in navigator)) return
    const updatePosition = () => {
      if (length <= 0) return
      navigator.mediaSession.setPositionState({
        duration: length,
        position: Math.min(element.currentTime, length),
        playbackRate: element.playbackRate,
      })
    }
    const events = ['playing', 'pause', 'seeked', 'ratechange'] as const
    for (const event of events) element.addEventListener(event, updatePosition)
    return () => {
      for (const event of events) element.removeEventListener(event, updatePosition)
    }
  }, [hasPlayed, media, length])
}

const ACTIONS = [
  'play',
  'pause',
  'stop',
  'nexttrack',
  'previoustrack',
  'seekbackward',
  'seekforward',
  'seekto',
] as const satisfies MediaSessionAction[]

function setActionHandler(
  action: MediaSessionAction,
  handler: MediaSessionActionHandler | null,
): void {
  try {
    navigator.mediaSession.setActionHandler(action, handler)
  } catch {
    // A browser without this action shows one button less.
  }
}
