import { useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { type RenewUrl, useFreshSource } from './use-player.ts'
import { ZoomableImage } from './zoomable-image.tsx'

interface ImageViewProps {
  title: string
  url: string
  renew: RenewUrl
}

/** An image at reading width, which opens on the whole screen. An image that cannot be read is hidden. */
export function ImageView({ title, url, renew }: ImageViewProps) {
  const { source, refresh } = useFreshSource(url, renew)
  const [isHidden, setHidden] = useState(false)
  const [isLoaded, setLoaded] = useState(false)
  if (isHidden) return null
  const renewOrHide = async () => setHidden(!(await refresh()))
  return (
    <ZoomableImage title={title} source={source} onError={renewOrHide} className="rounded-field">
      <img
        // On a page that the server rendered, the image may load before its handlers.
        ref={(image) => {
          if (image?.complete && image.naturalWidth > 0) setLoaded(true)
        }}
        src={source}
        alt={title}
        data-picture=""
        // Prevents most of a layout shift: most photos have this ratio.
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
