import { useState } from 'react'
import { type RenewUrl, useFreshSource } from './use-fresh-source.ts'
import { ZoomableImage } from './zoomable-image.tsx'

interface ImageViewProps {
  title: string
  url: string
  renew: RenewUrl
}

/** An image at reading width, and the whole screen when it is touched. One that cannot be read is hidden. */
export function ImageView({ title, url, renew }: ImageViewProps) {
  const { source, freshen } = useFreshSource(url, renew)
  const [isHidden, setHidden] = useState(false)
  if (isHidden) return null
  const renewOrHide = async () => setHidden(!(await freshen()))
  return (
    <ZoomableImage title={title} source={source} onError={renewOrHide} className="rounded-field">
      <img
        src={source}
        alt={title}
        className="mx-auto max-h-[75dvh] w-auto max-w-full object-contain"
        onError={renewOrHide}
      />
    </ZoomableImage>
  )
}
