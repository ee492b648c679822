import { useEffect, useEffectEvent, useRef } from 'react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

// Further pages come by themselves while one scrolls; now and then the button, so that the footer can be reached.
const PAGES_BETWEEN_PAUSES = 15

interface MoreButtonProps {
  shownPages: number
  isLoading: boolean
  hasFailed: boolean
  onMore: () => unknown
}

export function MoreButton({ shownPages, isLoading, hasFailed, onMore }: MoreButtonProps) {
  const place = useRef<HTMLDivElement>(null)
  const more = useEffectEvent(onMore)
  const isPause = shownPages % PAGES_BETWEEN_PAUSES === 0
  const comesByItself = !isPause && !hasFailed && !isLoading
  useEffect(() => {
    if (!comesByItself || !place.current) return
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) more()
      },
      // Two screens ahead: the next cards are there before one reaches the last.
      { rootMargin: '200% 0%' },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [comesByItself])
  return (
    <div ref={place} className="mt-8 flex flex-col items-center gap-3">
      {hasFailed && (
        <Notice tone="error">La suite n’a pas pu être chargée. Réessayez dans un instant.</Notice>
      )}
      <Button
        variant="secondary"
        busy={isLoading}
        busyLabel="Chargement de la suite"
        onClick={() => onMore()}
      >
        Afficher plus de révélations
      </Button>
    </div>
  )
}
