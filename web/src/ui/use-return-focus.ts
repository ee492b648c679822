import { useRef } from 'react'

/**
 * Gives the focus back to what opened a dialog. Radix only knows how to when its own trigger opened it, and ours are
 * opened by the state of their page. `returnTo` may name something else that now wants it.
 */
export function useReturnFocus(returnTo?: () => HTMLElement | null | undefined) {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      const wanting = returnTo?.()
      if (wanting) wanting.focus()
      else if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    },
  }
}
