import { type RefObject, useLayoutEffect, useRef } from 'react'
import { requestHeadingFocus } from '#web/lib/heading-focus.ts'

/** Whoever is in a part of the page with the keyboard is led to the next heading when something else takes its place. */
export function useHandedFocus(): RefObject<HTMLDivElement | null> {
  const part = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = part.current
    let last: Element | undefined
    const note = ({ target }: FocusEvent) => {
      last = target as Element
    }
    element?.addEventListener('focusin', note)
    return () => {
      element?.removeEventListener('focusin', note)
      const isLost = last?.isConnected === false && document.activeElement === document.body
      if (isLost || element?.contains(document.activeElement)) requestHeadingFocus()
    }
  }, [])
  return part
}
