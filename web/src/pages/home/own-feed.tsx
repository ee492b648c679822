import { useQuery } from '@tanstack/react-query'
import { anniversariesQuery } from '#web/features/received/awaiting.queries.ts'
import { Feed, type FeedProps } from './feed.tsx'
import { OnThisDay } from './on-this-day.tsx'

/** The feed of whoever is signed in: it comes with what opened on this day, which would move its cards if it came later. */
export function OwnFeed(props: FeedProps) {
  const { data = [], isFetched } = useQuery(anniversariesQuery)
  return <Feed {...props} isPending={!isFetched} memories={<OnThisDay anniversaries={data} />} />
}
