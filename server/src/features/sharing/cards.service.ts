import { idSchema } from '#contract/text.ts'
import type { AppContext } from '#server/context.ts'
import { AppError } from '#server/errors.ts'
import { isRevealed } from '#server/features/access/access.rules.ts'
import { getEnvelope } from '#server/features/access/envelopes.service.ts'
import { etagOf } from '#server/http/requests.ts'
import { withKeyedMutex } from '#server/platform/keyed-semaphore.ts'
import { type Card, cardOf, GENERIC_CARD } from './cards.rules.ts'

/** Of at most some 150 kB each. */
const CACHED_MAX = 120
/** One needs a tenth of a second: a caller after so many would wait for long. */
const WAITING_MAX = 30

export interface Picture {
  png: Buffer
  etag: string
}

/**
 * Draws cards, one at a time in this process, and caches the last ones by what they show: the caller asks the gate first.
 */
export function createCards(): (card: Card) => Promise<Picture> {
  const cache = new Map<string, Promise<Picture>>()
  let waiting = 0

  function draw(card: Card): Promise<Picture> {
    if (waiting >= WAITING_MAX) throw new AppError('not_ready', { retryAfterSeconds: 5 })
    waiting += 1
    return withKeyedMutex('cards', () => drawPicture(card)).finally(() => {
      waiting -= 1
    })
  }

  return async (card) => {
    const key = JSON.stringify(card)
    const picture = cache.get(key) ?? draw(card)
    // The last used is the last to go.
    cache.delete(key)
    cache.set(key, picture)
    picture.catch(() => cache.delete(key))
    for (const oldest of cache.keys()) {
      if (cache.size <= CACHED_MAX) break
      cache.delete(oldest)
    }
    return picture
  }
}

async function drawPicture(card: Card): Promise<Picture> {
  // Lazy: nothing else of the program needs the libraries that draw.
  const { drawCard } = await import('./cards.presenter.ts')
  const png = await drawCard(card)
  return { png, etag: etagOf(png) }
}

const NOBODY = { actor: null, deliveryKey: null }

/** What everybody may see of a revelation at this moment; one card for all that is hidden, gone or was never there. */
export async function findCard(ctx: AppContext, id: string): Promise<Card> {
  const { data: known } = idSchema.safeParse(id)
  if (known === undefined) return GENERIC_CARD
  try {
    const envelope = await getEnvelope(ctx, NOBODY, known)
    return cardOf(envelope, isRevealed(envelope, ctx.now()))
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return GENERIC_CARD
    throw error
  }
}
