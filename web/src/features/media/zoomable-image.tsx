import { Maximize2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { classNames } from '#web/ui/class-names.ts'

const ImageViewer = lazy(async () => ({
  default: (await import('./image-viewer.tsx')).ImageViewer,
}))

interface ZoomableImageProps {
  title: string
  source: string
  onError: () => void
  className?: string
  /** The image in the page. */
  children: ReactNode
}

/** An image that opens on the whole screen. */
export function ZoomableImage({ title, source, onError, className, children }: ZoomableImageProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        aria-label="Voir l’image en plein écran"
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
        className={classNames(
          'group relative block w-full cursor-zoom-in overflow-hidden bg-sunken',
          className,
        )}
      >
        {children}
        <span className="absolute right-3 bottom-3 inline-flex size-11 items-center justify-center rounded-full bg-black/60 text-white group-hover:bg-black/80">
          <Maximize2 aria-hidden="true" className="size-5" />
        </span>
      </button>
      {isOpen && (
        <Suspense>
          <ImageViewer
            title={title}
            source={source}
            onError={onError}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
