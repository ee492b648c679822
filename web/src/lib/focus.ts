import { type RefObject, useEffect, useRef } from 'react'

/*
 * On a page made by the browser nothing tells a screen reader that the page has turned. The new page's heading
 * takes the focus, when it appears, unless the person has begun to do something meanwhile.
 */
let isRequested = false

/** Has the next heading that appears focused: the page has turned. */
export function requestHeadingFocus(): void {
  isRequested = true
  window.addEventListener('keydown', resetHeadingFocus, { once: true })
  window.addEventListener('pointerdown', resetHeadingFocus, { once: true })
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
  window.removeEventListener('keydown', resetHeadingFocus)
  window.removeEventListener('pointerdown', resetHeadingFocus)
}

/**
 * A list may lose the very row whose button was pressed, and the focus with it. Called at the press; it returns what
 * restores the focus, to be called once the page has the new list.
 */
export function captureFocus(): () => void {
  const pressed = document.activeElement
  const container =
    pressed?.closest<HTMLElement>('[role=tabpanel]') ?? document.querySelector('main')
  // A pointer may press without ever giving the focus.
  if (!pressed || pressed === document.body) return () => {}
  const restore = () => {
    if (document.activeElement === document.body) container?.focus({ preventScroll: true })
  }
  // Queries notify the page by a timer, which may run after the next frame.
  return () => setTimeout(() => requestAnimationFrame(restore))
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

/** The button under the finger goes with the step that it ended: the focus stays in this part of the page. */
export function useFocusAfter(part: RefObject<HTMLElement | null>, step: string): void {
  const last = useRef(step)
  useEffect(() => {
    const isAnother = last.current !== step
    last.current = step
    if (isAnother && document.activeElement === document.body) {
      part.current?.focus({ preventScroll: true })
    }
  }, [part, step])
}
