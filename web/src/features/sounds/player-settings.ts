export const SPEEDS = [1, 1.5, 2] as const
export type Speed = (typeof SPEEDS)[number]

export interface PlayerSettings {
  /** From 0 to 1, by tenths. */
  volume: number
  isMuted: boolean
  speed: Speed
}

const KEY = 'sound-player'
const DEFAULTS: PlayerSettings = { volume: 1, isMuted: false, speed: 1 }

/** How one listens on this device, whoever is signed in. */
export function readPlayerSettings(): PlayerSettings {
  try {
    const { volume, speed } = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Record<
      string,
      unknown
    >
    return {
      // Silence is not remembered: it would be taken for a fault.
      isMuted: false,
      volume: typeof volume === 'number' && volume > 0 ? tenth(volume) : DEFAULTS.volume,
      speed: SPEEDS.find((known) => known === speed) ?? DEFAULTS.speed,
    }
  } catch {
    return DEFAULTS
  }
}

export function keepPlayerSettings({ volume, speed }: PlayerSettings): void {
  try {
    localStorage.setItem(KEY, JSON.stringify({ volume, speed }))
  } catch {
    // A browser that keeps nothing plays all the same.
  }
}

/** The nearest tenth between 0 and 1. */
export function tenth(volume: number): number {
  return Math.round(Math.min(1, Math.max(0, volume)) * 10) / 10
}
