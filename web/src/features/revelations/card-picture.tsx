import { useState } from 'react'
import { useRefreshRevelation } from './revelations.queries.ts'

interface CardPictureProps {
  revelationId: string
  src: string
  alt: string
}

/** A picture whose link lives ten minutes: a refused one is asked again once, then hidden. */
export function CardPicture({ revelationId, src, alt }: CardPictureProps) {
  const refresh = useRefreshRevelation()
  const [failures, setFailures] = useState(0)
  if (failures > 1) return null
  return (
    <img
      key={src}
      src={src}
      alt={alt}
      loading="lazy"
      decoding="async"
      className="size-full object-cover"
      onError={() => {
        setFailures(failures + 1)
        if (failures === 0) refresh(revelationId).catch(() => setFailures(2))
      }}
    />
  )
}
