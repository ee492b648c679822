import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Revelation, RevelationPage } from '#contract/revelations.ts'
import { RevelationGrid } from '#web/features/revelations/revelation-grid.tsx'
import { FeedCard } from './feed-card.tsx'
import { FeedPlace } from './feed-place.tsx'
import { MoreButton } from './more-button.tsx'

interface FeedCardsProps {
  feed: UseInfiniteQueryResult<InfiniteData<RevelationPage>>
  /** In the place of the cards when there is none. */
  empty: ReactNode
  /** What became of one, where that is what the list is about. */
  verdictOf?: (revelation: Revelation) => ReactNode
}

/** The cards of a list as long as it may be, and the way to the next ones. */
export function FeedCards({ feed, empty, verdictOf }: FeedCardsProps) {
  const pages = feed.data?.pages ?? []
  const revelations = pages.flatMap((page) => page.revelations)
  return (
    <>
      {revelations.length === 0 ? (
        empty
      ) : (
        <RevelationGrid>
          {revelations.map((revelation) => (
            <FeedPlace key={revelation.id} id={revelation.id}>
              <FeedCard revelation={revelation} verdictOf={verdictOf} />
            </FeedPlace>
          ))}
        </RevelationGrid>
      )}
      {feed.hasNextPage && (
        <MoreButton
          shownPages={pages.length}
          isLoading={feed.isFetchingNextPage}
          hasFailed={feed.isFetchNextPageError}
          onMore={feed.fetchNextPage}
        />
      )}
    </>
  )
}
