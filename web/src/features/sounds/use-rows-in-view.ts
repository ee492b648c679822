import { type RefObject, useLayoutEffect, useState } from 'react'

/** Rows made before and after those that are seen. */
const OVERSCAN = 4
/** Faster than this nobody reads more of a row than its title. */
const FAST_PIXELS_PER_MS = 1
/** So long after the last fast movement, what is seen is looked at. */
const SETTLED_MS = 100
/** More rows than that are made one after the other, a frame each. */
const AT_ONCE = 2

interface Rows {
  list: RefObject<HTMLElement | null>
  count: number
  /** Of each of them, in pixels. */
  height: number
}

export interface Span {
  first: number
  last: number
}

export interface RowsInView {
  /** Around what is seen. */
  seen: Span
  /** Those of them that are made whole: the others came in too fast to be read. */
  made: Span
}

/**
 * The rows around what is seen of a list that scrolls with the page. Rows of one height need no measuring: scrolling costs a
 * division, and a render each time a row comes in. A list pushed along shows little more than titles, and is completed row by
 * row once it slows down, so that no frame makes many.
 */
export function useRowsInView({ list, count, height }: Rows): RowsInView {
  const [rows, setRows] = useState(() => madeFrom(0, height))
  useLayoutEffect(() => {
    let now = madeFrom(0, height)
    let top = 0
    let place = window.scrollY
    let lookedAt = performance.now()
    let fastUntil = 0
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      const instant = performance.now()
      const speed = Math.abs(window.scrollY - place) / Math.max(1, instant - lookedAt)
      place = window.scrollY
      lookedAt = instant
      if (speed > FAST_PIXELS_PER_MS) fastUntil = instant + SETTLED_MS
      const isFast = instant < fastUntil
      const next = nextRows(now, seenFrom(place - top, height), isFast)
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      if (isFast) timer = setTimeout(look, SETTLED_MS)
      else if (!isSame(next.made, next.seen)) frame = requestAnimationFrame(look)
      if (isSame(now.seen, next.seen) && isSame(now.made, next.made)) return
      now = next
      setRows(next)
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
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [list, height])
  const last = Math.min(count - 1, rows.seen.last)
  return { seen: { first: Math.max(0, Math.min(rows.seen.first, last)), last }, made: rows.made }
}

function madeFrom(scrolled: number, height: number): RowsInView {
  const seen = seenFrom(scrolled, height)
  return { seen, made: seen }
}

/** What is made once this is seen: nothing new while it goes by, else a row more, or all when few are missing. */
export function nextRows({ made }: RowsInView, seen: Span, isFast: boolean): RowsInView {
  const kept = shared(made, seen)
  return { seen, made: isFast ? kept : grown(kept, seen) }
}

function seenFrom(scrolled: number, height: number): Span {
  return {
    first: Math.floor(scrolled / height) - OVERSCAN,
    last: Math.ceil((scrolled + window.innerHeight) / height) - 1 + OVERSCAN,
  }
}

function shared(one: Span, other: Span): Span {
  return { first: Math.max(one.first, other.first), last: Math.min(one.last, other.last) }
}

function grown(made: Span, seen: Span): Span {
  if (made.last < made.first) return { first: seen.first, last: seen.first + AT_ONCE - 1 }
  const missing = seen.last - seen.first - (made.last - made.first)
  if (missing <= AT_ONCE) return seen
  if (made.last < seen.last) return { ...made, last: made.last + 1 }
  return { ...made, first: made.first - 1 }
}

function isSame(one: Span, other: Span): boolean {
  return one.first === other.first && one.last === other.last
}
