import { AppError } from '#server/errors.ts'
import { etagOf } from '#server/http/requests.ts'
import { withKeyedMutex } from '#server/platform/keyed-semaphore.ts'
import type { Card } from './cards.rules.ts'

/** Of at most some 150 kB each. */
const MOST_KEPT = 120
/** One takes a tenth of a second: whoever comes after so many would wait for long. */
const MOST_WAITING = 30

export interface Picture {
  png: Buffer
  etag: string
}

/**
 * Draws cards, one at a time in this process, and keeps the last ones. A picture is found by what it shows, never by whose
 * it is: whether somebody may see it has to be asked before.
 */
export function createCards(): (card: Card) => Promise<Picture> {
  const kept = new Map<string, Promise<Picture>>()
  let waiting = 0

  function draw(card: Card): Promise<Picture> {
    if (waiting >= MOST_WAITING) throw new AppError('not_ready', { retryAfterSeconds: 5 })
    waiting += 1
    return withKeyedMutex('cards', () => drawn(card)).finally(() => {
      waiting -= 1
    })
  }

  return async (card) => {
    const key = JSON.stringify(card)
    const picture = kept.get(key) ?? draw(card)
    // The last asked for is the last to go.
    kept.delete(key)
    kept.set(key, picture)
    picture.catch(() => kept.delete(key))
    for (const oldest of kept.keys()) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(oldest)
    }
    return picture
  }
}

async function drawn(card: Card): Promise<Picture> {
  // Loaded when first needed: nothing else of the program needs what draws.
  const { drawCard } = await import('./cards.presenter.ts')
  const png = await drawCard(card)
  return { png, etag: etagOf(png) }
}
