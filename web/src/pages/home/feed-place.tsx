import { type ReactNode, useLayoutEffect, useRef } from 'react'

// The height each card had when the feed was last left: going back finds the page exactly as tall as it was.
const heights = new Map<string, number>()

interface FeedPlaceProps {
  id: string
  children: ReactNode
}

/** The place of a card in the feed: the browser neither lays out nor paints what is far from sight. */
export function FeedPlace({ id, children }: FeedPlaceProps) {
  const place = useRef<HTMLLIElement>(null)
  useLayoutEffect(() => {
    const element = place.current
    return () => {
      if (element) heights.set(id, element.offsetHeight)
    }
  }, [id])
  const height = heights.get(id)
  return (
    <li
      ref={place}
      className="[contain-intrinsic-block-size:auto_34rem] [content-visibility:auto] [overflow-clip-margin:2rem]"
      style={height ? { containIntrinsicBlockSize: `auto ${height}px` } : undefined}
    >
      {children}
    </li>
  )
}
