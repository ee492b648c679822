import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Revelation, RevelationPage } from '#contract/revelations.ts'
import { QueryFailure } from '#web/ui/notice.tsx'
import { MoreButton, RevelationGrid, RevelationGridSkeleton } from './revelation-grid.tsx'

interface RevelationListProps {
  list: UseInfiniteQueryResult<InfiniteData<RevelationPage>>
  /** Shows the skeleton although another list is still there. */
  isOtherList?: boolean | undefined
  /** The skeleton of the counts, above that of the cards. */
  countsSkeleton?: ReactNode
  /** The title of the failure to load. */
  failureTitle: string
  failureClassName?: string
  renderCounts: (counts: RevelationPage['counts'] | undefined) => ReactNode
  /** In the place of the cards when there is none. */
  empty: ReactNode
  renderCard: (revelation: Revelation) => ReactNode
}

// Further pages load by themselves while one scrolls; now and then the button does, so that the footer can be reached.
export const PAGES_BETWEEN_PAUSES = 15

/** A list of revelations: loading, failed, empty, or its cards with the way to the next ones. */
export function RevelationList({
  list,
  isOtherList = false,
  countsSkeleton,
  failureTitle,
  failureClassName,
  renderCounts,
  empty,
  renderCard,
}: RevelationListProps) {
  if (list.isPending || isOtherList) {
    return (
      <>
        {countsSkeleton}
        <RevelationGridSkeleton />
      </>
    )
  }
  if (!list.data) {
    return <QueryFailure query={list} className={failureClassName} title={failureTitle} />
  }
  const { pages } = list.data
  const revelations = pages.flatMap((page) => page.revelations)
  return (
    <div
      // The button for more goes with the last page.
      tabIndex={-1}
      aria-busy={list.isPlaceholderData}
      className={list.isPlaceholderData ? 'opacity-60 transition-opacity delay-200' : undefined}
    >
      {renderCounts(pages[0]?.counts)}
      {revelations.length === 0 ? (
        empty
      ) : (
        <RevelationGrid>
          {revelations.map((revelation) => (
            <NearbyItem key={revelation.id} id={revelation.id}>
              {renderCard(revelation)}
            </NearbyItem>
          ))}
        </RevelationGrid>
      )}
      {list.hasNextPage && (
        <MoreButton list={list} isPause={pages.length % PAGES_BETWEEN_PAUSES === 0} />
      )}
    </div>
  )
}

/** The last height of each card: an item without its card has that height, so that the page stays as tall as it was. */
const heights = new Map<string, number>()

interface NearbyItemProps {
  id: string
  children: ReactNode
}

/**
 * An item that renders its card only near the viewport, so that a list of thousands weighs no more than a short one. A card
 * that somebody touched stays rendered.
 */
export function NearbyItem({ id, children }: NearbyItemProps) {
  const item = useRef<HTMLLIElement>(null)
  const [isRendered, setRendered] = useState(!heights.get(id))
  const isTouched = useRef(false)
  useEffect(() => {
    if (!item.current) return
    return observeNearness(item.current, (isNear, height) => {
      heights.set(id, height)
      setRendered(isNear || isTouched.current)
    })
  }, [id])
  useLayoutEffect(() => {
    const element = item.current
    return () => {
      if (element) heights.set(id, element.getBoundingClientRect().height)
    }
  }, [id])
  const touch = () => {
    isTouched.current = true
  }
  return (
    <li ref={item} onFocus={touch} onPointerDown={touch}>
      {isRendered ? children : <div style={{ height: heights.get(id) }} />}
    </li>
  )
}

type NearnessListener = (isNear: boolean, heightPx: number) => void

const listeners = new Map<Element, NearnessListener>()
let observer: IntersectionObserver | undefined

/** Calls back whether an element is less than three screens away, now and on change. All elements share one observer. */
function observeNearness(element: Element, listener: NearnessListener): () => void {
  observer ??= new IntersectionObserver(notifyListeners, { rootMargin: '300% 0%' })
  listeners.set(element, listener)
  observer.observe(element)
  return () => {
    listeners.delete(element)
    observer?.unobserve(element)
    if (listeners.size === 0) observer = undefined
  }
}

function notifyListeners(entries: IntersectionObserverEntry[]): void {
  for (const { target, isIntersecting, boundingClientRect } of entries) {
    listeners.get(target)?.(isIntersecting, boundingClientRect.height)
  }
}
