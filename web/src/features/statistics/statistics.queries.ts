import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import {
  getStatistics,
  LETTERS_MAX_LIMIT,
  type LetterOrder,
  type LetterSort,
  type LetterStatistics,
  listLetterStatistics,
  type Period,
} from '#contract/statistics.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { callApi } from '#web/lib/api-client.ts'

const STATISTICS_KEY = ['statistics'] as const

// What others did a moment ago is counted at once.
const staleTime = 0

/** The figures by month; months are those of the person's time zone. */
export function statisticsQuery(period: Period) {
  const time_zone = personTimeZone()
  return queryOptions({
    queryKey: [...STATISTICS_KEY, 'months', period, time_zone],
    queryFn: ({ signal }) =>
      callApi(getStatistics, { querystring: { period, time_zone } }, { signal }),
    staleTime,
  })
}

export interface LetterList {
  period: Period
  sort: LetterSort
  order: LetterOrder
}

/** The figures by letter. */
export function letterStatisticsQuery(list: LetterList) {
  const time_zone = personTimeZone()
  return infiniteQueryOptions({
    queryKey: [...STATISTICS_KEY, 'letters', list, time_zone],
    queryFn: ({ pageParam: page, signal }) =>
      callApi(listLetterStatistics, { querystring: { ...list, time_zone, page } }, { signal }),
    initialPageParam: 1,
    getNextPageParam: ({ total }, pages, page) =>
      pages.flatMap(({ letters }) => letters).length < total ? page + 1 : undefined,
    staleTime,
  })
}

/** All of them, as a file takes them. */
export async function fetchAllLetters(list: LetterList): Promise<LetterStatistics[]> {
  const letters: LetterStatistics[] = []
  for (let page = 1; ; page += 1) {
    const answer = await callApi(listLetterStatistics, {
      querystring: { ...list, time_zone: personTimeZone(), page, limit: LETTERS_MAX_LIMIT },
    })
    letters.push(...answer.letters)
    if (answer.letters.length < LETTERS_MAX_LIMIT) return letters
  }
}
