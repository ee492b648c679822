import { ChevronLeft, ChevronRight, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { useReturnFocus } from '#web/lib/focus.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { AlbumFile } from './album-file.tsx'
import { type AlbumItem, lightOf, nameOf } from './album-items.ts'
import './album-pages.css'
import { useFreshSource } from './use-player.ts'
import { useTurning } from './use-turning.ts'

interface AlbumPagesProps {
  title: string
  items: readonly AlbumItem[]
  onClose: () => void
}

/**
 * The files of a letter as pages of paper, one gesture each: a tap, a swipe, Enter, an arrow or a button. The last one turned
 * uncovers the letter.
 */
export function AlbumPages({ title, items, onClose }: AlbumPagesProps) {
  const total = items.length
  const { at, leaving, returning, isOver, turn, frame, gestures } = useTurning(total, onClose)
  const next = useRef<HTMLButtonElement>(null)
  const returnFocus = useReturnFocus()
  const item = items[at]
  const onKeyDown = (event: KeyboardEvent) => {
    // A document that is read lies over the pages.
    if (!frame.current?.contains(event.target as Node)) return
    const step = STEPS[event.key]
    const isPressed = PRESSES.has(event.key) && (event.target as Element).closest('button, a')
    if (step === undefined || isPressed) return
    event.preventDefault()
    turn(step)
  }
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        {/* The letter below does not scroll meanwhile. */}
        <Dialog.Overlay className="fixed inset-0 z-50" />
        <Dialog.Content
          {...returnFocus}
          ref={frame}
          aria-describedby={undefined}
          data-over={isOver || undefined}
          onOpenAutoFocus={(event) => {
            returnFocus.onOpenAutoFocus()
            event.preventDefault()
            next.current?.focus()
          }}
          onKeyDown={onKeyDown}
          className="album-pages theme-paper fixed inset-0 z-50 flex flex-col text-ink focus-visible:outline-none print:hidden"
        >
          <header className="flex items-center gap-3 pt-[max(0.5rem,env(safe-area-inset-top))] pr-2 pl-4">
            <Dialog.Title className="sr-only">Les pages de {title}</Dialog.Title>
            <p aria-hidden="true" className="tabular-digits min-w-0 flex-1 text-ink-soft">
              {Math.min(at + 1, total)} sur {total}
            </p>
            <p role="status" className="sr-only">
              {item && nameOf(item, at, total)}
            </p>
            <Button
              variant="ghost"
              icon={<X aria-hidden="true" className="size-5" />}
              onClick={onClose}
            >
              Passer
            </Button>
          </header>
          <div {...gestures} className="album-stage relative mx-3 my-2 min-h-0 flex-1">
            {[at - 1, at, at + 1].map((index) => {
              const shown = items[index]
              if (!shown || (index === at - 1 && leaving !== index)) return null
              return (
                <Page
                  key={index}
                  {...{ item: shown, at: index, total }}
                  isCurrent={index === at}
                  motion={
                    leaving === index ? 'leaving' : returning === index ? 'returning' : undefined
                  }
                />
              )
            })}
          </div>
          <footer className="flex gap-2 px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] sm:justify-center">
            <Button
              variant="secondary"
              aria-label="Page précédente"
              className="bg-surface!"
              icon={<ChevronLeft aria-hidden="true" className="size-5" />}
              aria-disabled={at === 0 || undefined}
              onClick={() => turn(-1)}
            />
            <Button ref={next} className="min-w-0 flex-1 sm:max-w-xs" onClick={() => turn(1)}>
              {at < total - 1 ? 'Tourner la page' : 'Revenir à la lettre'}
              <ChevronRight aria-hidden="true" className="size-5 shrink-0" />
            </Button>
          </footer>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const STEPS: Record<string, 1 | -1> = {
  ArrowRight: 1,
  PageDown: 1,
  Enter: 1,
  ' ': 1,
  ArrowLeft: -1,
  PageUp: -1,
}
/** What presses the button that has the focus. */
const PRESSES = new Set(['Enter', ' '])

interface PageProps {
  item: AlbumItem
  at: number
  total: number
  isCurrent: boolean
  motion: 'leaving' | 'returning' | undefined
}

/** A sheet with a file and its caption; the one that follows lies under it, loaded. */
function Page({ item, at, total, isCurrent, motion }: PageProps) {
  return (
    <figure
      inert={!isCurrent}
      data-motion={motion}
      data-current={isCurrent || undefined}
      style={{ '--depth': motion ? 3 : isCurrent ? 2 : 1 }}
      className="album-page absolute inset-0 flex flex-col items-center justify-center gap-4 overflow-y-auto rounded-card border border-line bg-surface p-3 shadow-soft sm:p-8"
    >
      {item.type === 'image' && lightOf(item) !== null ? (
        <PagePicture item={item} at={at} total={total} url={lightOf(item) ?? ''} />
      ) : (
        <AlbumFile item={item} at={at} total={total} isCurrent={isCurrent} />
      )}
      {item.caption !== null && (
        <figcaption className="max-w-reading shrink-0 text-balance text-center font-serif text-xl leading-snug [overflow-wrap:anywhere]">
          {item.caption}
        </figcaption>
      )}
    </figure>
  )
}

type PagePictureProps = Pick<PageProps, 'item' | 'at' | 'total'> & { url: string }

function PagePicture({ item, at, total, url }: PagePictureProps) {
  const { source, refresh } = useFreshSource(url, item.renewLight)
  const image = useRef<HTMLImageElement>(null)
  const [isGone, setGone] = useState(false)
  // What is in memory already is there with its page.
  const [isLoaded, setLoaded] = useState(false)
  useLayoutEffect(() => setLoaded(image.current?.complete ?? false), [])
  if (isGone) return <p>Cette image ne peut pas être affichée.</p>
  return (
    <img
      ref={image}
      src={source}
      alt={item.caption ?? nameOf(item, at, total)}
      draggable={false}
      onLoad={() => setLoaded(true)}
      onError={async () => setGone(!(await refresh()))}
      className={classNames(
        'min-h-0 max-w-full flex-[0_1_auto] select-none object-contain',
        !isLoaded && 'size-full bg-sunken',
      )}
    />
  )
}
