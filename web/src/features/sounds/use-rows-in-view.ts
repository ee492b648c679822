import { type RefObject, useLayoutEffect, useState } from 'react'

/** Rows made before and after those that are seen. */
const OVERSCAN = 4

interface Rows {
  list: RefObject<HTMLElement | null>
  count: number
  /** Of each of them, in pixels. */
  height: number
}

/**
 * The first and the last row around what is seen of a list that scrolls with the page. Rows of one height need no measuring:
 * scrolling costs a division, and a render each time a row comes in.
 */
export function useRowsInView({ list, count, height }: Rows): { first: number; last: number } {
  const [seen, setSeen] = useState(() => seenFrom(0, height))
  useLayoutEffect(() => {
    let top = 0
    const look = () => {
      const next = seenFrom(window.scrollY - top, height)
      setSeen((now) => (now.first === next.first && now.last === next.last ? now : next))
    }
    const measure = () => {
      top = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY
      look()
    }
    measure()
    window.addEventListener('scroll', look, { passive: true })
    window.addEventListener('resize', measure)
    // What stands above the list may move it.
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(measure)
    observer?.observe(document.body)
    return () => {
      window.removeEventListener('scroll', look)
      window.removeEventListener('resize', measure)
      observer?.disconnect()
    }
  }, [list, height])
  const last = Math.min(count - 1, seen.last + OVERSCAN)
  return { first: Math.max(0, Math.min(seen.first - OVERSCAN, last)), last }
}

function seenFrom(scrolled: number, height: number): { first: number; last: number } {
  return {
    first: Math.floor(scrolled / height),
    last: Math.ceil((scrolled + window.innerHeight) / height) - 1,
  }
}
