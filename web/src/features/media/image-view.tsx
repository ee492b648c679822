import { useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'
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
  const [isLoaded, setLoaded] = useState(false)
  if (isHidden) return null
  const renewOrHide = async () => setHidden(!(await freshen()))
  return (
    <ZoomableImage title={title} source={source} onError={renewOrHide} className="rounded-field">
      <img
        // Where the server rendered the page, the image may have come before its handlers.
        ref={(image) => {
          if (image?.complete && image.naturalWidth > 0) setLoaded(true)
        }}
        src={source}
        alt={title}
        // The letter below waits about where it will stay: most photos are that wide.
        className={classNames(
          'mx-auto max-h-[75dvh] max-w-full object-contain',
          isLoaded ? 'w-auto' : 'aspect-4/3 w-full bg-sunken',
        )}
        onLoad={() => setLoaded(true)}
        onError={renewOrHide}
      />
    </ZoomableImage>
  )
}
