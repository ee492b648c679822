import { ChevronLeft, ChevronRight, Download, Minus, Plus, X } from 'lucide-react'
import { useMemo, useState } from 'react'
import Lightbox, { type GenericSlide, type Slide } from 'yet-another-react-lightbox'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import 'yet-another-react-lightbox/styles.css'
import { formatTenth } from '#web/lib/format.ts'
import '#web/styles/image-viewer.css'
import { AlbumFile } from './album-file.tsx'
import { type AlbumItem, lightOf, nameOf, placeOf, useAlbumParts } from './album-items.ts'
import { MAX_ZOOM_PIXEL_RATIO } from './image-viewer.tsx'
import { fileOf } from './use-player.ts'

declare module 'yet-another-react-lightbox' {
  interface SlideFile extends GenericSlide {
    type: 'file'
    at: number
  }
  interface SlideTypes {
    file: SlideFile
  }
}

interface AlbumViewerProps {
  title: string
  items: readonly AlbumItem[]
  at: number
  onMove: (at: number) => void
  onClose: () => void
}

const ICON = { 'aria-hidden': true, className: 'size-6' } as const

/**
 * The files of a letter on the whole screen, one after the other: by a swipe, the arrows or the buttons. Only the one that is
 * seen and its neighbours are loaded.
 */
export function AlbumViewer({ title, items, at, onMove, onClose }: AlbumViewerProps) {
  const [scale, setScale] = useState(1)
  const { slides, refresh } = useSlides(items)
  const item = items[at]
  if (!item) return null
  const name = nameOf(item, at, items.length)
  return (
    <Lightbox
      open
      close={onClose}
      index={at}
      slides={slides}
      plugins={[Zoom]}
      carousel={{
        finite: true,
        preload: 1,
        padding: 0,
        // Not `onError`, which is the lightbox’s own.
        imageProps: (slide) => ({ onErrorCapture: () => refresh(slides.indexOf(slide)) }),
      }}
      controller={{ closeOnPullDown: true, closeOnPullUp: true }}
      zoom={{ maxZoomPixelRatio: MAX_ZOOM_PIXEL_RATIO, scrollToZoom: true }}
      on={{
        view: ({ index }) => {
          setScale(1)
          onMove(index)
        },
        zoom: ({ zoom }) => setScale(zoom),
      }}
      toolbar={{ buttons: [<DownloadOne key="download" item={item} name={name} />, 'close'] }}
      className="theme-night image-viewer album-viewer"
      styles={{ container: { paddingBottom: footRoom(items) } }}
      labels={{
        Lightbox: `Album de la révélation ${title}`,
        'Photo gallery': 'Album',
        Carousel: 'album',
        Slide: 'fichier',
        '{index} of {total}': 'Fichier {index} sur {total}',
        Previous: 'Précédent',
        Next: 'Suivant',
        'Zoom in': 'Agrandir',
        'Zoom out': 'Réduire',
        Close: 'Fermer',
      }}
      render={{
        slide: ({ slide, offset }) =>
          slide.type === 'file' && <OneFile items={items} at={slide.at} isCurrent={offset === 0} />,
        iconPrev: () => <ChevronLeft {...ICON} />,
        iconNext: () => <ChevronRight {...ICON} />,
        iconZoomIn: () => <Plus {...ICON} />,
        iconZoomOut: () => <Minus {...ICON} />,
        iconClose: () => <X {...ICON} />,
        iconError: () => <p className="px-6 text-center">Cette image ne peut pas être affichée.</p>,
        controls: () => (
          <>
            <p role="status" className="sr-only">
              {scale > 1 ? `Agrandie ${formatTenth(scale)} fois` : name}
            </p>
            <Foot place={`${at + 1} sur ${items.length}`} caption={item.caption} />
          </>
        ),
      }}
    />
  )
}

/**
 * Images are the lightbox’s own slides, which fingers enlarge. Each keeps its address, whatever tickets come meanwhile, until that
 * one is refused.
 */
function useSlides(items: readonly AlbumItem[]) {
  const [sources, setSources] = useState(() => items.map(lightOf))
  const wanted = items.map((item, at) => {
    const [url, known] = [lightOf(item), sources[at]]
    return url && known && fileOf(url) === fileOf(known) ? known : url
  })
  if (wanted.some((url, at) => url !== sources[at])) setSources(wanted)
  const total = items.length
  // biome-ignore lint/correctness/useExhaustiveDependencies: other slides would begin anew, and what is shown depends on the sources
  const slides = useMemo<Slide[]>(
    () =>
      sources.map((src, at) => {
        const item = items[at]
        return item?.type === 'image' && src
          ? { src, alt: placeOf(item, at, total) }
          : { type: 'file', at }
      }),
    [sources],
  )
  const refresh = async (at: number) => {
    const fresh = await items[at]?.renewLight().catch(() => null)
    if (fresh) setSources((before) => before.with(at, fresh))
  }
  return { slides, refresh }
}

interface OneFileProps {
  items: readonly AlbumItem[]
  at: number
  isCurrent: boolean
}

function OneFile({ items, at, isCurrent }: OneFileProps) {
  const item = items[at]
  return item && <AlbumFile item={item} at={at} total={items.length} isCurrent={isCurrent} />
}

function DownloadOne({ item, name }: { item: AlbumItem; name: string }) {
  const { downloadFile } = useAlbumParts()
  const { url } = item
  if (url === null) return null
  return (
    <button
      type="button"
      aria-label={`Télécharger\u202F: ${name}`}
      title="Télécharger"
      className="yarl__button"
      onClick={() => downloadFile({ url, fileName: item.name, renew: item.renew })}
    >
      <Download {...ICON} />
    </button>
  )
}

/** Characters of a caption on a line of a phone. */
const LINE_LENGTH = 36
const MAX_LINES = 4

/** The same under every picture of an album: they do not jump as one goes from one to the next. */
function footRoom(items: readonly AlbumItem[]): string {
  const longest = Math.max(...items.map(({ caption }) => caption?.length ?? 0))
  const lines = Math.min(MAX_LINES, Math.ceil(longest / LINE_LENGTH))
  return `calc(${4.5 + 1.6 * lines}rem + env(safe-area-inset-bottom))`
}

interface FootProps {
  place: string
  caption: string | null
}

/** Under what is shown; a caption that is longer than its room lies over its lower edge. The buttons stand beside the place. */
function Foot({ place, caption }: FootProps) {
  const isLong = caption !== null && caption.length > LINE_LENGTH * MAX_LINES
  return (
    <div className="absolute inset-x-0 bottom-0 mx-auto max-w-reading bg-black/70 px-4 pt-2 pb-[max(0.5rem,env(safe-area-inset-bottom))] text-center">
      {caption !== null && (
        <p
          // Where it is taller than the screen allows, keys scroll it.
          tabIndex={isLong ? 0 : undefined}
          className="max-h-[45dvh] touch-pan-y overflow-y-auto text-balance font-serif text-lg leading-snug [overflow-wrap:anywhere]"
        >
          {caption}
        </p>
      )}
      <p aria-hidden="true" className="tabular-digits h-12 text-sm leading-12">
        {place}
      </p>
    </div>
  )
}
