import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { watchNearness } from './watch-nearness.ts'

// The height each card has or had: one that is not made keeps its place, and going back finds the page as tall as it was.
const heights = new Map<string, number>()

interface FeedPlaceProps {
  id: string
  children: ReactNode
}

/**
 * The place of a card in the feed. Only the cards around what is seen are made, so that a feed of thousands weighs no more
 * than a short one; a card somebody touched stays as it is.
 */
export function FeedPlace({ id, children }: FeedPlaceProps) {
  const place = useRef<HTMLLIElement>(null)
  const [isMade, setMade] = useState(!heights.get(id))
  const isTouched = useRef(false)
  useEffect(() => {
    if (!place.current) return
    return watchNearness(place.current, (isNear, height) => {
      heights.set(id, height)
      setMade(isNear || isTouched.current)
    })
  }, [id])
  useLayoutEffect(() => {
    const element = place.current
    return () => {
      if (element) heights.set(id, element.getBoundingClientRect().height)
    }
  }, [id])
  const touch = () => {
    isTouched.current = true
  }
  return (
    <li ref={place} onFocus={touch} onPointerDown={touch}>
      {isMade ? children : <div style={{ height: heights.get(id) }} />}
    </li>
  )
}
