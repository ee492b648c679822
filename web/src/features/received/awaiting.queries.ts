import { queryOptions } from '@tanstack/react-query'
import { listAnniversaries, listReceived } from '#contract/received.ts'
import { listRevelationsOfUser, type Revelation } from '#contract/revelations.ts'
import { AWAITING_KEY } from '#web/features/revelations/revelation-cache.ts'
import { callApi } from '#web/lib/api-client.ts'
import { browserTimeZone } from '#web/lib/dates.ts'

/** As many as the home page shows. */
const SHOWN_WAITING = 2

/** The letters that wait for me to open them: the first ones, and how many there are. */
export const waitingQuery = queryOptions({
  queryKey: [...AWAITING_KEY, 'waiting'],
  queryFn: ({ signal }) => {
    const querystring = { state: 'waiting', limit: SHOWN_WAITING } as const
    return callApi(listReceived, { querystring }, { signal })
  },
})

/** Of the announced letters for me, the one that opens first. */
export const nextForMeQuery = queryOptions({
  queryKey: [...AWAITING_KEY, 'next-for-me'],
  queryFn: async ({ signal }) => {
    const querystring = { state: 'upcoming', limit: 1 } as const
    return (await callApi(listReceived, { querystring }, { signal })).revelations[0] ?? null
  },
})

/** Of what this person sealed and is still sealed, the one that opens first. */
export function nextOwnQuery(userId: string) {
  return queryOptions({
    queryKey: [...AWAITING_KEY, 'next-own', userId],
    queryFn: async ({ signal }) => {
      const querystring = { status: 'pending', sort: 'soonest', limit: 1 } as const
      const call = { params: { id: userId }, querystring }
      return (await callApi(listRevelationsOfUser, call, { signal })).revelations[0] ?? null
    },
  })
}

export function soonest<Item extends Revelation>(revelations: Item[]): Item | undefined {
  const [first] = [...revelations].sort(
    (one, other) => Date.parse(one.reveal_date) - Date.parse(other.reveal_date),
  )
  return first
}

const HOUR_MS = 3_600_000

/** What opened on this day of earlier years, sent or received. */
export const anniversariesQuery = queryOptions({
  queryKey: [...AWAITING_KEY, 'anniversaries'],
  queryFn: async ({ signal }) => {
    const querystring = { time_zone: browserTimeZone() }
    return (await callApi(listAnniversaries, { querystring }, { signal })).anniversaries
  },
  staleTime: HOUR_MS,
})
