import { Minus, Plus, X } from 'lucide-react'
import type { PDFDocumentProxy } from 'pdfjs-dist'
import { Dialog } from 'radix-ui'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useReturnFocus } from '#web/lib/focus.ts'
import { IconButton } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { drawPage, openDocument, ratioOf } from './document-pages.ts'
import './document-reader.css'
import type { RenewUrl } from './use-player.ts'

const PAGE_MAX_PX = 880
const MARGIN_PX = 12
const ZOOM_STEP = 1.25
const ZOOM_MAX = 4

interface DocumentReaderProps {
  title: string
  url: string
  sizeBytes: number
  renew: RenewUrl
  onClose: () => void
}

type ReaderState =
  | { phase: 'loading' | 'locked' | 'failed' }
  /** `ratio`: height by width of the first page. */
  | { phase: 'open'; document: PDFDocumentProxy; ratio: number }

/** A PDF on the whole screen, page after page. */
export function DocumentReader({ title, onClose, ...source }: DocumentReaderProps) {
  const state = useDocument(source)
  const [zoom, setZoom] = useState(1)
  const [current, setCurrent] = useState(1)
  const [scroller, setScroller] = useState<HTMLElement | null>(null)
  const returnFocus = useReturnFocus()
  const pages = state.phase === 'open' ? state.document.numPages : 0
  const zoomBy = (factor: number) => setZoom((now) => Math.min(ZOOM_MAX, Math.max(1, now * factor)))
  const widthPx = Math.min(PAGE_MAX_PX, (scroller?.clientWidth ?? 0) - 2 * MARGIN_PX) * zoom
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="dialog-veil fixed inset-0 z-50 bg-black" />
        <Dialog.Content
          {...returnFocus}
          aria-describedby={undefined}
          // The keys that scroll work at once.
          onOpenAutoFocus={(event) => {
            returnFocus.onOpenAutoFocus()
            event.preventDefault()
            scroller?.focus()
          }}
          onKeyDown={({ key }) => {
            if (key === '+') zoomBy(ZOOM_STEP)
            else if (key === '-') zoomBy(1 / ZOOM_STEP)
          }}
          className="theme-night fixed inset-0 z-50 flex flex-col text-white focus-visible:outline-none"
        >
          <header className="flex items-center gap-1 pt-[env(safe-area-inset-top)] pr-2 pl-4">
            <Dialog.Title className="min-w-0 flex-1 truncate font-sans text-base">
              <span className="sr-only">Document de la révélation </span>
              {title}
            </Dialog.Title>
            {pages > 0 && (
              <p className="tabular-digits shrink-0 text-sm">
                <span className="sr-only">Page </span>
                {current}&nbsp;/&nbsp;{pages}
              </p>
            )}
            <ReaderButton
              label="Réduire"
              icon={<Minus aria-hidden="true" className="size-6" />}
              disabled={zoom <= 1}
              onClick={() => zoomBy(1 / ZOOM_STEP)}
            />
            <ReaderButton
              label="Agrandir"
              icon={<Plus aria-hidden="true" className="size-6" />}
              disabled={zoom >= ZOOM_MAX}
              onClick={() => zoomBy(ZOOM_STEP)}
            />
            <ReaderButton
              label="Fermer le document"
              icon={<X aria-hidden="true" className="size-6" />}
              onClick={onClose}
            />
          </header>
          <section
            ref={setScroller}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys that scroll need the focus here
            tabIndex={0}
            aria-label="Pages"
            className="min-h-0 flex-1 overflow-auto overscroll-contain focus-visible:outline-none"
            onScroll={({ currentTarget }) => setCurrent(pageAt(currentTarget))}
          >
            {state.phase === 'loading' && <Loading />}
            {(state.phase === 'failed' || state.phase === 'locked') && (
              <div className="mx-auto max-w-md p-6">
                <Notice tone="warning">{SENTENCES[state.phase]}</Notice>
              </div>
            )}
            {state.phase === 'open' && scroller && (
              <div className="mx-auto flex w-max flex-col gap-3 px-3 pt-1 pb-6">
                {Array.from({ length: pages }, (_, index) => (
                  <ReaderPage
                    // biome-ignore lint/suspicious/noArrayIndexKey: pages have no other name
                    key={index}
                    document={state.document}
                    number={index + 1}
                    widthPx={widthPx}
                    firstRatio={state.ratio}
                    scroller={scroller}
                  />
                ))}
              </div>
            )}
          </section>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/**
 * The page that is read: the first one at the top of the document, the last one at its end, and between them the one as far
 * down the screen as the screen is down the document.
 */
function pageAt(scroller: HTMLElement): number {
  const { scrollTop, scrollHeight, clientHeight } = scroller
  const share = scrollTop / Math.max(1, scrollHeight - clientHeight)
  const line = scroller.getBoundingClientRect().top + share * clientHeight
  const pages = [...scroller.querySelectorAll('[data-page]')]
  const above = pages.filter((page) => page.getBoundingClientRect().top <= line).length
  return Math.max(1, above)
}

function useDocument({ url, sizeBytes, renew }: Omit<DocumentReaderProps, 'title' | 'onClose'>) {
  const [state, setState] = useState<ReaderState>({ phase: 'loading' })
  // One document for as long as it is open: a new ticket is no new file.
  const open = useEffectEvent((onFailed: () => void) =>
    openDocument({ url, sizeBytes, renew }, onFailed),
  )
  useEffect(() => {
    let isOver = false
    const fail = (error?: Error) => {
      if (isOver) return
      setState({ phase: error?.name === 'PasswordException' ? 'locked' : 'failed' })
    }
    const opened = open(() => fail())
    opened.document
      .then(async (document) => {
        const ratio = await ratioOf(document, 1)
        if (!isOver) setState({ phase: 'open', document, ratio })
      })
      .catch(fail)
    return () => {
      isOver = true
      opened.close()
    }
  }, [])
  return state
}

const SENTENCES = {
  failed:
    'Ce document n’a pas pu être ouvert ici. Fermez cette vue et téléchargez-le\u202F: votre appareil saura peut-être le lire.',
  locked:
    'Ce document demande un mot de passe. Fermez cette vue et téléchargez-le pour l’ouvrir sur votre appareil.',
}

function Loading() {
  return (
    <p role="status" className="flex h-full items-center justify-center gap-3">
      <Spinner />
      Chargement du document…
    </p>
  )
}

interface ReaderPageProps {
  document: PDFDocumentProxy
  number: number
  widthPx: number
  firstRatio: number
  scroller: HTMLElement
}

/** A page, drawn while it is near: all pages of a book would not fit in the memory of a phone. */
function ReaderPage({ document, number, widthPx, firstRatio, scroller }: ReaderPageProps) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setNear] = useState(false)
  const [ratio, setRatio] = useState(firstRatio)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const near = new IntersectionObserver(([entry]) => setNear(entry?.isIntersecting ?? false), {
      root: scroller,
      rootMargin: '150% 0%',
    })
    near.observe(element)
    return () => near.disconnect()
  }, [scroller])
  useEffect(() => {
    const into = place.current
    if (!into || !isNear) return
    const left = new AbortController()
    ratioOf(document, number)
      .then((own) => {
        setRatio(own)
        return drawPage(document, number, { into, widthPx, signal: left.signal })
      })
      // A page that cannot be drawn stays white; its words may be elsewhere in the file.
      .catch(() => undefined)
    return () => left.abort()
  }, [document, number, widthPx, isNear])
  useEffect(() => {
    if (!isNear) place.current?.replaceChildren()
  }, [isNear])
  return (
    <div
      ref={place}
      data-page={number}
      className="relative bg-white text-black"
      style={{ width: widthPx, height: widthPx * ratio }}
    />
  )
}

function ReaderButton(props: Parameters<typeof IconButton>[0]) {
  return (
    <IconButton {...props} className="rounded-full text-white hover:bg-white/20 hover:text-white" />
  )
}
