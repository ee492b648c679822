import { type RefObject, useEffect, useState } from 'react'

/** Volume and speed, stored on this device and applied to the audio element. */
export function usePlayerSettings(media: RefObject<HTMLAudioElement | null>) {
  const [settings, set] = useState(loadPlayerSettings)
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
    storePlayerSettings({ volume, isMuted, speed })
  }, [media, volume, isMuted, speed])
  const setVolume = (wanted: number) =>
    set({ ...settings, volume: toTenth(wanted), isMuted: false })
  return {
    volume,
    isMuted: isMuted || volume === 0,
    speed,
    setVolume,
    changeVolume: (difference: number) => setVolume(volume + difference),
    toggleMuted: () => {
      // A volume of zero returns at half.
      if (volume === 0) setVolume(0.5)
      else set({ ...settings, isMuted: !isMuted })
    },
    /** The normal speed follows the fastest. */
    nextSpeed: () => set({ ...settings, speed: SPEEDS[SPEEDS.indexOf(speed) + 1] ?? SPEEDS[0] }),
  }
}

const SPEEDS = [1, 1.5, 2] as const
type Speed = (typeof SPEEDS)[number]

interface PlayerSettings {
  /** From 0 to 1, by tenths. */
  volume: number
  isMuted: boolean
  speed: Speed
}

const KEY = 'sound-player'
const DEFAULTS: PlayerSettings = { volume: 1, isMuted: false, speed: 1 }

/** Settings of the device, not of an account. */
function loadPlayerSettings(): PlayerSettings {
  try {
    const { volume, speed } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<
      string,
      unknown
    >
    return {
      // Muting is not stored: silence would seem a fault.
      isMuted: false,
      volume: typeof volume === 'number' && volume > 0 ? toTenth(volume) : DEFAULTS.volume,
      speed: SPEEDS.find((known) => known === speed) ?? DEFAULTS.speed,
    }
  } catch {
    return DEFAULTS
  }
}

function storePlayerSettings({ volume, speed }: PlayerSettings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ volume, speed }))
  } catch {
    // A browser without storage plays all the same.
  }
}

function toTenth(volume: number): number {
  return Math.round(Math.min(1, Math.max(0, volume)) * 10) / 10
}
