import { type RefObject, useEffect, useState } from 'react'

const MOVES = ['timeupdate', 'seeking', 'seeked', 'emptied', 'loadedmetadata'] as const

/** How far the player is, in seconds, a few times a second; only what calls this renders as it moves. */
export function usePlace(media: RefObject<HTMLAudioElement | null>): number {
  const [place, setPlace] = useState(0)
  useEffect(() => {
    const player = media.current
    if (!player) return
    const read = () => setPlace(player.currentTime)
    read()
    for (const name of MOVES) player.addEventListener(name, read)
    return () => {
      for (const name of MOVES) player.removeEventListener(name, read)
    }
  }, [media])
  return place
}
