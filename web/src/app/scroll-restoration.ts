import { useEffect, useLayoutEffect, useRef } from 'react'
import { type Location, useLocation, useNavigationType } from 'react-router'
import { focusReturned, requestHeadingFocus } from '#web/lib/focus.ts'

const STORAGE_KEY = 'scroll-places'
const RETURN_LIMIT_MS = 1000

/** Where one was on a page. */
interface Place {
  y: number
  /** The link by which one left it, the how many-th of the page to that address, and how far it was from the top of the window. */
  link?: { href: string; index: number; top: number }
}

/**
 * Does what a browser does between documents: a new page is shown from its top and its heading is focused; going back
 * restores the place where one was, and the focus on the link by which one left.
 */
export function useScrollRestoration(): void {
  const location = useLocation()
  const navigation = useNavigationType()
  const shown = useRef(location)
  const places = useRef<Record<string, Place>>(null)

  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    const remember = () => {
      // What is scrolled is the skeleton of the next page.
      if (!places.current || document.querySelector('.page-skeleton')) return
      places.current[placeOf(shown.current)] = { y: Math.round(window.scrollY) }
    }
    const rememberLink = ({ target }: MouseEvent) => {
      const link =
        target instanceof Element ? target.closest<HTMLElement>('main a[href]') : undefined
      const href = link?.getAttribute('href')
      if (!places.current || !link || !href) return
      const top = link.getBoundingClientRect().top
      places.current[placeOf(shown.current)] = {
        y: Math.round(window.scrollY),
        link: { href, index: linksTo(href).indexOf(link), top },
      }
    }
    const save = () => sessionStorage.setItem(STORAGE_KEY, JSON.stringify(places.current))
    const stop = new AbortController()
    const { signal } = stop
    window.addEventListener('scroll', remember, { passive: true, signal })
    window.addEventListener('click', rememberLink, { capture: true, signal })
    window.addEventListener('pagehide', save, { signal })
    return () => stop.abort()
  }, [])

  useLayoutEffect(() => {
    const isOtherPage = shown.current.pathname !== location.pathname
    shown.current = location
    if (isOtherPage) requestHeadingFocus()
    const isFirst = places.current === null
    places.current ??= readPlaces()
    // A page that was scrolled while it waited for its code stays there: what is under a finger must not move.
    if (isFirst && window.scrollY > 0) return
    if (navigation === 'POP') return returnTo(places.current[placeOf(location)] ?? { y: 0 })
    if (isOtherPage) window.scrollTo(0, 0)
  }, [location, navigation])
}

/** The first page of each visit has the same key, « default »: the path tells them apart. */
function placeOf({ key, pathname }: Location): string {
  return `${key} ${pathname}`
}

function readPlaces(): Record<string, Place> {
  return JSON.parse(sessionStorage.getItem(STORAGE_KEY) ?? '{}')
}

/** Scrolls there as soon as the page is tall enough again; what stands above the link may be taller than it was. */
function returnTo({ y, link }: Place): () => void {
  let frame = 0
  const endsAt = performance.now() + RETURN_LIMIT_MS
  const attempt = () => {
    window.scrollTo(0, y)
    const isThere = window.scrollY >= y - 1
    const left = link && isThere ? linksTo(link.href)[link.index] : undefined
    if (link && left) {
      window.scrollBy(0, left.getBoundingClientRect().top - link.top)
      focusReturned(left)
    }
    const isDone = link ? left !== undefined : isThere
    if (!isDone && performance.now() < endsAt) frame = requestAnimationFrame(attempt)
  }
  attempt()
  return () => cancelAnimationFrame(frame)
}

/** The same letter may be linked twice on a page, and one of the links comes later than the other. */
function linksTo(href: string): HTMLElement[] {
  const links = [...document.querySelectorAll<HTMLElement>('main a[href]')]
  return links.filter((link) => link.getAttribute('href') === href)
}
