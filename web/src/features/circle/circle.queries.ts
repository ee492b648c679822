import { queryOptions } from '@tanstack/react-query'
import { getCircleStatistics, listCircleMembers } from '#contract/circle.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { callApi } from '#web/lib/api-client.ts'

/** The key above every query of this feature, to invalidate all of them. */
export const CIRCLE_KEY = ['circle'] as const

// A change made on another page a moment ago must show at once.
const staleTime = 0

/** The family, by pseudo. */
export const circleMembersQuery = queryOptions({
  queryKey: [...CIRCLE_KEY, 'members'],
  queryFn: async ({ signal }) => (await callApi(listCircleMembers, {}, { signal })).members,
  staleTime,
})

/** The figures; months are those of the person's time zone. */
export function circleStatisticsQuery() {
  const timeZone = personTimeZone()
  return queryOptions({
    queryKey: [...CIRCLE_KEY, 'statistics', timeZone],
    queryFn: ({ signal }) =>
      callApi(getCircleStatistics, { querystring: { time_zone: timeZone } }, { signal }),
    staleTime,
  })
}
