import { type RefObject, useLayoutEffect, useState } from 'react'

/** Rows rendered before and after the visible ones. */
const OVERSCAN = 4
/** At this speed nobody reads more of a row than its title. */
const FAST_PIXELS_PER_MS = 1
/** The list counts as still this long after the last fast movement. */
const SETTLED_MS = 100
/** More missing rows than this are rendered one per frame. */
const AT_ONCE = 2

interface Rows {
  list: RefObject<HTMLElement | null>
  count: number
  /** The height of each row, in pixels. */
  height: number
}

export interface Span {
  first: number
  last: number
}

export interface RowsInView {
  /** The rows on the screen and a few around them. */
  visible: Span
  /** Those of them that are rendered whole: the others came in too fast to be read. */
  rendered: Span
}

/**
 * The rows in view of a list that scrolls with the page, all of one height. A list that scrolls fast shows little more than
 * titles; it completes its rows once it slows down, a few per frame.
 */
export function useRowsInView({ list, count, height }: Rows): RowsInView {
  const [rows, setRows] = useState(() => rowsFrom(0, height))
  useLayoutEffect(() => {
    let now = rowsFrom(0, height)
    let top = 0
    let place = window.scrollY
    let measuredAt = performance.now()
    let fastUntil = 0
    let frame = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const update = () => {
      const instant = performance.now()
      const speed = Math.abs(window.scrollY - place) / Math.max(1, instant - measuredAt)
      place = window.scrollY
      measuredAt = instant
      if (speed > FAST_PIXELS_PER_MS) fastUntil = instant + SETTLED_MS
      const isFast = instant < fastUntil
      const next = nextRows(now, visibleFrom(place - top, height), isFast)
      cancelAnimationFrame(frame)
      clearTimeout(timer)
      if (isFast) timer = setTimeout(update, SETTLED_MS)
      else if (!isSame(next.rendered, next.visible)) frame = requestAnimationFrame(update)
      if (isSame(now.visible, next.visible) && isSame(now.rendered, next.rendered)) return
      now = next
      setRows(next)
    }
    const measure = () => {
      top = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY
      update()
    }
    measure()
    window.addEventListener('scroll', update, { passive: true })
    window.addEventListener('resize', measure)
    // A change above the list moves the list.
    const observer = typeof ResizeObserver === 'undefined' ? undefined : new ResizeObserver(measure)
    observer?.observe(document.body)
    return () => {
      window.removeEventListener('scroll', update)
      window.removeEventListener('resize', measure)
      observer?.disconnect()
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [list, height])
  const last = Math.min(count - 1, rows.visible.last)
  return {
    visible: { first: Math.max(0, Math.min(rows.visible.first, last)), last },
    rendered: rows.rendered,
  }
}

function rowsFrom(scrolled: number, height: number): RowsInView {
  const visible = visibleFrom(scrolled, height)
  return { visible, rendered: visible }
}

/** A fast list renders no new row; another renders one more, or all when few are missing. */
export function nextRows({ rendered }: RowsInView, visible: Span, isFast: boolean): RowsInView {
  const rest = intersect(rendered, visible)
  return { visible, rendered: isFast ? rest : extend(rest, visible) }
}

function visibleFrom(scrolled: number, height: number): Span {
  return {
    first: Math.floor(scrolled / height) - OVERSCAN,
    last: Math.ceil((scrolled + window.innerHeight) / height) - 1 + OVERSCAN,
  }
}

function intersect(one: Span, other: Span): Span {
  return { first: Math.max(one.first, other.first), last: Math.min(one.last, other.last) }
}

function extend(rendered: Span, visible: Span): Span {
  if (rendered.last < rendered.first)
    return { first: visible.first, last: visible.first + AT_ONCE - 1 }
  const missing = visible.last - visible.first - (rendered.last - rendered.first)
  if (missing <= AT_ONCE) return visible
  if (rendered.last < visible.last) return { ...rendered, last: rendered.last + 1 }
  return { ...rendered, first: rendered.first - 1 }
}

function isSame(one: Span, other: Span): boolean {
  return one.first === other.first && one.last === other.last
}
