import { useEffect, useLayoutEffect, useRef } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router'
import { requestHeadingFocus } from '#web/lib/heading-focus.ts'

const STORAGE_KEY = 'scroll-places'
const RETURN_LIMIT_MS = 1000

/**
 * What a browser does when a page turns: a new page is seen from its top and its heading is focused; going back
 * finds the place where one was.
 */
export function usePageTurn(): void {
  const location = useLocation()
  const navigation = useNavigationType()
  const shown = useRef(location)
  const places = useRef<Record<string, number>>(null)

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    const remember = () => {
      if (places.current) places.current[placeOf(shown.current)] = Math.round(window.scrollY)
    }
    const keep = () => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(places.current))
    window.addEventListener('scroll', remember, { passive: true })
    window.addEventListener('pagehide', keep)
    return () => {
      window.removeEventListener('scroll', remember)
      window.removeEventListener('pagehide', keep)
    }
  }, [])

  useLayoutEffect(() => {
    const isOtherPage = shown.current.pathname !== location.pathname
    shown.current = location
    if (isOtherPage) requestHeadingFocus()
    const isFirst = places.current === null
    places.current ??= readPlaces()
    // Whoever has scrolled while the page waited for its code stays there: what is under a finger must not move.
    if (isFirst && window.scrollY > 0) return
    if (navigation === 'POP') return returnTo(places.current[placeOf(location)] ?? 0)
    if (isOtherPage) window.scrollTo(0, 0)
  }, [location, navigation])
}

/** The first page of each visit has the same key, « default »: the path tells them apart. */
function placeOf({ key, pathname }: Location): string {
  return `${key} ${pathname}`
}

function readPlaces(): Record<string, number> {
  return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}')
}

/** Scrolls there as soon as the page is tall enough again. */
function returnTo(place: number): () => void {
  let frame = 0
  const giveUpAt = performance.now() + RETURN_LIMIT_MS
  const attempt = () => {
    window.scrollTo(0, place)
    if (window.scrollY >= place - 1 || performance.now() > giveUpAt) return
    frame = requestAnimationFrame(attempt)
  }
  attempt()
  return () => cancelAnimationFrame(frame)
}
