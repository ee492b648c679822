import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { soundsIn } from './sound-cache.ts'
import { soundsQuery } from './sounds.queries.ts'

/** The sounds; all of them, page after page, once whatever needs them all is wanted. */
export function useSounds(isAllWanted: boolean) {
  const list = useInfiniteQuery(soundsQuery())
  const { data, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  const known = useMemo(() => data && soundsIn(data.pages), [data])
  useEffect(() => {
    if (isAllWanted && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage()
  }, [isAllWanted, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage])
  return { list, sounds: known?.sounds ?? NONE, totals: known?.totals }
}

const NONE: never[] = []
