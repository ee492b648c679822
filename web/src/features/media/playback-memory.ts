import { type RefObject, useEffect } from 'react'
import { removeStored, storedValue } from '#web/lib/storage.ts'

/** Nobody asks to be brought back to the first seconds, nor to the last ones. */
const MARGIN_SECONDS = 10
/** The place moves with each frame; the device is written to seldom. */
const STORED_EVERY_SECONDS = 5
export const SPEEDS: readonly number[] = [0.75, 1, 1.25, 1.5, 2]

const PREFIX = 'played:'
const place = (file: string) =>
  storedValue(`${PREFIX}place:${file}`, (stored) =>
    typeof stored === 'number' && stored > 0 ? stored : undefined,
  )
const speed = (kind: string) =>
  storedValue(`${PREFIX}speed:${kind}`, (stored) => SPEEDS.find((known) => known === stored))

/** Which films and sounds were played here, and how far. */
export function erasePlayedPlaces(): void {
  removeStored(localStorage, `${PREFIX}place:`)
}

/** Where this file was left, in seconds. */
export function placeOf(file: string): number | undefined {
  return place(file).read()
}

/**
 * Stores on this device how far a file was played, until it is near its end, and at which speed films and sounds are. What
 * has no name of its own (`file`) has no place either.
 */
export function usePlaybackMemory(media: RefObject<HTMLMediaElement | null>, file?: string): void {
  useEffect(() => {
    const player = media.current
    if (!player) return
    const stop = new AbortController()
    const on = (types: string[], listener: () => void) => {
      for (const type of types) player.addEventListener(type, listener, { signal: stop.signal })
    }
    const kind = player.localName
    const chosen = speed(kind).read() ?? 1
    // Each address that is loaded starts at the default speed.
    player.defaultPlaybackRate = chosen
    player.playbackRate = chosen
    on(['ratechange'], () => {
      if (player.playbackRate === player.defaultPlaybackRate) return
      player.defaultPlaybackRate = player.playbackRate
      speed(kind).write(player.playbackRate)
    })
    if (file !== undefined) rememberPlace(player, file, on)
    return () => stop.abort()
  }, [media, file])
}

function rememberPlace(
  player: HTMLMediaElement,
  file: string,
  on: (types: string[], listener: () => void) => void,
): void {
  let stored = 0
  const store = () => {
    const { currentTime, duration } = player
    stored = currentTime
    if (currentTime > MARGIN_SECONDS && currentTime < duration - MARGIN_SECONDS) {
      place(file).write(Math.floor(currentTime))
    } else place(file).remove()
  }
  on(['timeupdate'], () => {
    if (!player.paused && Math.abs(player.currentTime - stored) >= STORED_EVERY_SECONDS) store()
  })
  on(['pause', 'seeked', 'ended'], () => {
    if (player.readyState > 0) store()
  })
}
