import { useRef } from 'react'

/*
 * On a page made by the browser nothing tells a screen reader that the page has turned. The new page's heading
 * takes the focus, when it appears, unless the person has begun to do something meanwhile.
 */
let isRequested = false
// As it is captured, the key that turns the page has passed here already, while it is still on its way.
const ONLY_LATER = { capture: true }

/** Has the next heading that appears focused: the page has turned. */
export function requestHeadingFocus(): void {
  isRequested = true
  window.addEventListener('keydown', resetHeadingFocus, ONLY_LATER)
  window.addEventListener('pointerdown', resetHeadingFocus, ONLY_LATER)
}

export function focusRequestedHeading(heading: HTMLElement): void {
  if (!isRequested) return
  resetHeadingFocus()
  heading.focus({ preventScroll: true })
}

/** One is back where one left by this link: it has the focus again, unless the person has gone on meanwhile. */
export function focusReturned(link: HTMLElement): void {
  resetHeadingFocus()
  const { activeElement } = document
  if (activeElement === document.body || activeElement?.matches('h1')) {
    link.focus({ preventScroll: true })
  }
}

/** Withdraws the request: the person does something, or a test is over. */
export function resetHeadingFocus(): void {
  isRequested = false
  window.removeEventListener('keydown', resetHeadingFocus, ONLY_LATER)
  window.removeEventListener('pointerdown', resetHeadingFocus, ONLY_LATER)
}

/**
 * What is pressed may leave the page with what it ended: a button of a row, a notice, a step. The focus would be on nothing;
 * the nearest part of the page that can have it and is still there takes it. Returns what stops this.
 */
export function restoreLostFocus(): () => void {
  const stop = new AbortController()
  const options = { capture: true, signal: stop.signal }
  let focused: Element | undefined
  let around: HTMLElement[] = []
  let inPage: HTMLElement[] = []
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (!(target instanceof Element)) return
      focused = target
      const parts = focusableAround(target)
      if (target.closest('main')) inPage = parts
      // A dialog or a menu leaves as a whole: then what it was opened from counts.
      around = [...parts, ...inPage]
    },
    options,
  )
  // Whoever presses elsewhere has let go of it.
  document.addEventListener(
    'pointerdown',
    ({ target }) => {
      if (target instanceof Node && !focused?.contains(target)) focused = undefined
    },
    options,
  )
  const restore = () => {
    if (document.activeElement !== document.body || !focused || focused.isConnected) return
    focused = undefined
    // The heading of the next page is about to take it.
    if (isRequested) return
    around.find((part) => part.isConnected)?.focus({ preventScroll: true })
  }
  const observer = new MutationObserver(() => {
    if (!focused || focused.isConnected) return
    // Whoever moves the focus by themselves does so at once, or in the next frame: a dialog that closes, a form that opens.
    setTimeout(() => requestAnimationFrame(restore))
  })
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    stop.abort()
    observer.disconnect()
  }
}

/** From the inside to the outside. */
function focusableAround(element: Element): HTMLElement[] {
  const parts: HTMLElement[] = []
  for (let part = element.parentElement; part; part = part.parentElement) {
    if (part.tabIndex >= 0 || part.hasAttribute('tabindex')) parts.push(part)
  }
  return parts
}

/**
 * Returns the focus to what opened a dialog: Radix does so only for its own trigger, and ours are opened by the state of
 * their page. `returnTo` may name another element.
 */
export function useReturnFocus(returnTo?: () => HTMLElement | null | undefined) {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const wanted = returnTo?.()
      if (wanted) wanted.focus()
      else if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    },
  }
}
