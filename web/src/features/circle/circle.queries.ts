import { queryOptions } from '@tanstack/react-query'
import { getCircleStatistics, listCircleMembers } from '#contract/circle.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { callApi } from '#web/lib/api-client.ts'

/** Above every query of this feature: what changes in the circle is asked again under it. */
export const CIRCLE_KEY = ['circle'] as const

// What was sealed, said or tied a moment ago on another page counts as soon as one is here.
const staleTime = 0

/** My family, by pseudo, with what each shares with it. */
export const circleMembersQuery = queryOptions({
  queryKey: [...CIRCLE_KEY, 'members'],
  queryFn: async ({ signal }) => (await callApi(listCircleMembers, {}, { signal })).members,
  staleTime,
})

/** Its figures; the months are those of where the person is. */
export function circleStatisticsQuery() {
  const timeZone = personTimeZone()
  return queryOptions({
    queryKey: [...CIRCLE_KEY, 'statistics', timeZone],
    queryFn: ({ signal }) =>
      callApi(getCircleStatistics, { querystring: { time_zone: timeZone } }, { signal }),
    staleTime,
  })
}
