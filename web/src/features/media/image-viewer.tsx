import { Minus, Plus, X } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
import Lightbox from 'yet-another-react-lightbox'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import 'yet-another-react-lightbox/styles.css'
import { formatTenth } from '#web/lib/format.ts'
import '#web/styles/image-viewer.css'

interface ImageViewerProps {
  title: string
  source: string
  onError: () => void
  onClose: () => void
}

const ICON = { 'aria-hidden': true, className: 'size-6' } as const
/** A small picture may grow beyond its own pixels: old eyes look for a face in it. */
export const MAX_ZOOM_PIXEL_RATIO = 4

/** One image on the whole screen: fingers, wheel, keys and buttons make it larger; pulled up or down it leaves. */
export function ImageViewer({ title, source, onError, onClose }: ImageViewerProps) {
  const [scale, setScale] = useState(1)
  return (
    <Lightbox
      open
      close={onClose}
      slides={[{ src: source, alt: title }]}
      plugins={[Zoom]}
      carousel={{ finite: true, preload: 0, padding: 0 }}
      controller={{ closeOnBackdropClick: true, closeOnPullDown: true, closeOnPullUp: true }}
      zoom={{ maxZoomPixelRatio: MAX_ZOOM_PIXEL_RATIO, scrollToZoom: true }}
      on={{ zoom: ({ zoom }) => setScale(zoom) }}
      className="theme-night image-viewer"
      labels={{
        Lightbox: `Image de la révélation ${title}`,
        'Photo gallery': 'Image',
        Carousel: 'cadre',
        Slide: 'image',
        '{index} of {total}': title,
        'Zoom in': 'Agrandir',
        'Zoom out': 'Réduire',
        Close: 'Fermer l’image',
      }}
      render={{
        buttonPrev: () => null,
        buttonNext: () => null,
        iconZoomIn: () => <Plus {...ICON} />,
        iconZoomOut: () => <Minus {...ICON} />,
        iconClose: () => <X {...ICON} />,
        iconError: () => <Unreadable onShown={onError} />,
        controls: () => (
          <p role="status" className="sr-only">
            {scale > 1 && `Agrandie ${formatTenth(scale)} fois`}
          </p>
        ),
      }}
    />
  )
}

/** Until a new address brings it, or where there is none any more. */
function Unreadable({ onShown }: { onShown: () => void }) {
  const shown = useEffectEvent(onShown)
  useEffect(() => shown(), [])
  return <p className="px-6 text-center">Cette image ne peut pas être affichée.</p>
}
