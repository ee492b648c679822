import { useRef } from 'react'

/**
 * Gives the focus back to what opened a dialog. Radix only knows how to when its own trigger opened it, and ours come
 * with their code when they are asked for.
 */
export function useReturnFocus() {
  const opener = useRef<Element>(null)
  return {
    onOpenAutoFocus: () => {
      opener.current = document.activeElement
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault()
      if (opener.current instanceof HTMLElement) opener.current.focus({ preventScroll: true })
    },
  }
}
