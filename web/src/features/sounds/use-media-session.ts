import { useEffect, useEffectEvent } from 'react'
import { SITE_NAME } from '#web/lib/site-name.ts'
import type { SoundPlayer } from './use-sound-player.ts'

const STEP_SECONDS = 10

/** What the lock screen, a headset and a car show of the player, and may ask of it. */
export function useMediaSession(player: SoundPlayer): void {
  const { current, hasPlayed, isPlaying, media, length } = player
  const act = useEffectEvent((details: MediaSessionActionDetails) => {
    const step = details.seekOffset ?? STEP_SECONDS
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
    for (const action of ACTIONS) answerTo(action, (details) => act(details))
    return () => {
      for (const action of ACTIONS) answerTo(action, null)
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
    const tell = () => {
      if (length <= 0) return
      navigator.mediaSession.setPositionState({
        duration: length,
        position: Math.min(element.currentTime, length),
        playbackRate: element.playbackRate,
      })
    }
    const moments = ['playing', 'pause', 'seeked', 'ratechange'] as const
    for (const moment of moments) element.addEventListener(moment, tell)
    return () => {
      for (const moment of moments) element.removeEventListener(moment, tell)
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

function answerTo(action: MediaSessionAction, handler: MediaSessionActionHandler | null): void {
  try {
    navigator.mediaSession.setActionHandler(action, handler)
  } catch {
    // A browser that does not know this action shows one button less.
  }
}
