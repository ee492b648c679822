import { useEffect, useLayoutEffect, useRef } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router'
import { requestHeadingFocus } from '#web/lib/focus.ts'

const STORAGE_KEY = 'scroll-places'
const RETURN_LIMIT_MS = 1000

/**
 * Does what a browser does between documents: a new page is shown from its top and its heading is focused; going back
 * restores the place where one was.
 */
export function useScrollRestoration(): void {
  const location = useLocation()
  const navigation = useNavigationType()
  const shown = useRef(location)
  const places = useRef<Record<string, number>>(null)

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    const remember = () => {
      if (places.current) places.current[placeOf(shown.current)] = Math.round(window.scrollY)
    }
    const save = () => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(places.current))
    window.addEventListener('scroll', remember, { passive: true })
    window.addEventListener('pagehide', save)
    return () => {
      window.removeEventListener('scroll', remember)
      window.removeEventListener('pagehide', save)
    }
  }, [])

  useLayoutEffect(() => {
    const isOtherPage = shown.current.pathname !== location.pathname
    shown.current = location
    if (isOtherPage) requestHeadingFocus()
    const isFirst = places.current === null
    places.current ??= readPlaces()
    // A page that was scrolled while it waited for its code stays there: what is under a finger must not move.
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
  const endsAt = performance.now() + RETURN_LIMIT_MS
  const attempt = () => {
    window.scrollTo(0, place)
    if (window.scrollY >= place - 1 || performance.now() > endsAt) return
    frame = requestAnimationFrame(attempt)
  }
  attempt()
  return () => cancelAnimationFrame(frame)
}
