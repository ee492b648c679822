import type { Sound } from '#contract/sounds.ts'

/** `seed` draws the order; the round begins with what played when it was asked for. */
export interface Shuffle {
  seed: number
  firstId: string | undefined
}

export function isPlayable(sound: Sound): boolean {
  return sound.can_access && sound.file_url !== undefined
}

/**
 * What plays one after the other, without what is still locked. A drawn order holds when sounds come and go: each has a
 * place of its own in it.
 */
export function playOrder(sounds: readonly Sound[], shuffle?: Shuffle): Sound[] {
  const playable = sounds.filter(isPlayable)
  if (!shuffle) return playable
  const places = new Map(playable.map(({ id }) => [id, drawnPlace(id, shuffle.seed)]))
  const drawn = playable.toSorted((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0))
  const first = Math.max(
    0,
    drawn.findIndex(({ id }) => id === shuffle.firstId),
  )
  return [...drawn.slice(first), ...drawn.slice(0, first)]
}

/** What comes after, or undefined at the end; the first one after what is not in the order. */
export function soundAfter(order: readonly Sound[], id: string | undefined): Sound | undefined {
  return order[order.findIndex((sound) => sound.id === id) + 1]
}

export function soundBefore(order: readonly Sound[], id: string | undefined): Sound | undefined {
  return order[order.findIndex((sound) => sound.id === id) - 1]
}

/** A hash (FNV-1a, then stirred): any id, any seed, a place between 0 and 2³². */
function drawnPlace(id: string, seed: number): number {
  let hash = 0x811c9dc5 ^ seed
  for (let index = 0; index < id.length; index += 1) {
    hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193)
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b)
  return (hash ^ (hash >>> 16)) >>> 0
}
