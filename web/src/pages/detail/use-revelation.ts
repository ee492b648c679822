import { useQuery } from '@tanstack/react-query'
import { isOwn, type Revelation } from '#contract/revelations.ts'
import { revelationQuery } from '#web/features/revelations/revelations.queries.ts'

const ANSWER_FRESH_MS = 30_000
const PREPARING_POLL_MS = 3000
const TEASER_POLL_MS = 10_000

/** One revelation, asked again while something of its file is still being made. */
export function useRevelation(id: string) {
  return useQuery({
    ...revelationQuery(id),
    // A refusal is an answer too, and as fresh as any other.
    retryOnMount: ({ state }) => Date.now() - state.errorUpdatedAt > ANSWER_FRESH_MS,
    refetchInterval: ({ state }) => (state.data ? pollOf(state.data) : false),
  })
}

function pollOf(revelation: Revelation): number | false {
  if (isOwn(revelation)) {
    return revelation.processing_status === 'processing' ? PREPARING_POLL_MS : false
  }
  const isTeaserOnItsWay = revelation.teaser_end !== null && revelation.teaser_url === null
  return isTeaserOnItsWay && !revelation.is_revealed ? TEASER_POLL_MS : false
}
