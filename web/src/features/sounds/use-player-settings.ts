import { type RefObject, useEffect, useState } from 'react'
import { keepPlayerSettings, readPlayerSettings, SPEEDS, tenth } from './player-settings.ts'

/** Loudness and speed, remembered on this device and held on the audio element. */
export function usePlayerSettings(media: RefObject<HTMLAudioElement | null>) {
  const [settings, set] = useState(readPlayerSettings)
  const { volume, isMuted, speed } = settings
  useEffect(() => {
    const player = media.current
    if (!player) return
    player.volume = volume
    player.muted = isMuted
    // A new file starts at the default speed.
    player.defaultPlaybackRate = speed
    player.playbackRate = speed
    player.preservesPitch = true
    keepPlayerSettings({ volume, isMuted, speed })
  }, [media, volume, isMuted, speed])
  const setVolume = (wanted: number) => set({ ...settings, volume: tenth(wanted), isMuted: false })
  return {
    volume,
    isMuted: isMuted || volume === 0,
    speed,
    setVolume,
    changeVolume: (difference: number) => setVolume(volume + difference),
    toggleMuted: () => {
      // What was turned down to nothing is heard again at half.
      if (volume === 0) setVolume(0.5)
      else set({ ...settings, isMuted: !isMuted })
    },
    /** The next speed, and after the fastest the normal one. */
    turnSpeed: () => set({ ...settings, speed: SPEEDS[SPEEDS.indexOf(speed) + 1] ?? SPEEDS[0] }),
  }
}
