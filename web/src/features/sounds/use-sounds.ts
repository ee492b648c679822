import { useInfiniteQuery } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo } from 'react'
import { type SoundPage, soundsIn } from './sound-cache.ts'
import { soundsQuery } from './sounds.queries.ts'

/** The sounds known so far; page after page all of them, once whatever needs them all is wanted. */
export function useSounds(isAllWanted: boolean) {
  const list = useInfiniteQuery(soundsQuery())
  // Whether it is being asked is not read: all that shows the sounds would render twice for each page.
  const { data, hasNextPage, isFetchNextPageError, fetchNextPage } = list
  const known = useMemo(() => data && soundsIn(data.pages), [data])
  const pages = data?.pages.length ?? 0
  const askMore = useCallback(() => {
    if (hasNextPage) void askPages(fetchNextPage, (now) => now > pages)
  }, [hasNextPage, pages, fetchNextPage])
  useEffect(() => {
    if (!isAllWanted || !hasNextPage || isFetchNextPageError) return
    let isOver = false
    void askPages(fetchNextPage, () => isOver)
    return () => {
      isOver = true
    }
  }, [isAllWanted, hasNextPage, isFetchNextPageError, fetchNextPage])
  return { list, sounds: known?.sounds ?? NONE, totals: known?.totals, askMore }
}

const NONE: never[] = []

type FetchNextPage = ReturnType<typeof useInfiniteQuery<SoundPage>>['fetchNextPage']

async function askPages(
  fetchNextPage: FetchNextPage,
  isEnough: (pages: number) => boolean,
): Promise<void> {
  for (;;) {
    // Joins what is under way: pages that are asked again bring none more.
    const { data, hasNextPage, isError } = await fetchNextPage({ cancelRefetch: false })
    if (isError || !hasNextPage || isEnough(data?.pages.length ?? 0)) return
  }
}
