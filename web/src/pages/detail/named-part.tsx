import { type ReactNode, useEffect, useRef } from 'react'
import { useLocation, useNavigationType } from 'react-router'

/** The parts of the page of a revelation that an address may name after its « # »: where something happened. */
export type PartName = 'commentaires' | 'reactions' | 'reponses' | 'remise'

interface NamedPartProps {
  names: PartName[]
  children: ReactNode
}

/** Is gone to once it is there, by whoever followed its name; whoever comes back finds the place they left. */
export function NamedPart({ names, children }: NamedPartProps) {
  const part = useRef<HTMLDivElement>(null)
  const { key } = useLocation()
  const isNamed = useIsNamed(names)
  // The first page of a visit is one that was followed too: from a mail, or from a notification of the device.
  const isFollowed = useNavigationType() !== 'POP' || key === 'default'
  useEffect(() => {
    const place = part.current
    if (!isNamed || !isFollowed || !place) return
    // What is fetched for it may come later than its page.
    const observer = new ResizeObserver(() => {
      if (place.clientHeight === 0) return
      place.scrollIntoView()
      observer.disconnect()
    })
    observer.observe(place)
    return () => observer.disconnect()
  }, [isNamed, isFollowed])
  return (
    <div ref={part} className="scroll-mt-20 empty:hidden">
      {children}
    </div>
  )
}

/** Whether the address names one of them: what is folded is unfolded. */
export function useIsNamed(names: PartName[]): boolean {
  const { hash } = useLocation()
  return names.some((name) => hash === `#${name}`)
}
