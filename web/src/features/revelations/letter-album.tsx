import { BookOpen, ChevronRight } from 'lucide-react'
import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { isOpen, type LetterFile, type OpenRevelation } from '#contract/revelations.ts'
import { AlbumGallery } from '#web/features/media/album-gallery.tsx'
import {
  type AlbumItem,
  type AlbumParts,
  AlbumPartsContext,
  albumInWords,
  lightOf,
} from '#web/features/media/album-items.ts'
import { isSwipe } from '#web/features/media/use-turning.ts'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { useRenewUrl } from './revelations.queries.ts'

const loadPages = () => import('#web/features/media/album-pages.tsx')

const AlbumViewer = lazy(async () => ({
  default: (await import('#web/features/media/album-viewer.tsx')).AlbumViewer,
}))

const AlbumPages = lazy(async () => ({ default: (await loadPages()).AlbumPages }))

interface LetterAlbumProps {
  revelation: OpenRevelation
  files: LetterFile[]
  /** Which opening of the letter its reader sees: another one for each, none where it was open already. */
  opening: number | undefined
  parts: AlbumParts
}

/** Several files of an open letter: turned like pages as it opens, then shown in their order, each on the whole screen at a tap. */
export function LetterAlbum({ revelation, files, opening, parts }: LetterAlbumProps) {
  const { title } = revelation
  const items = useItems(revelation, files)
  const { shown, show, close } = useShown()
  const [turned, setTurned] = useState<number>()
  const isInvited = opening !== undefined && turned !== opening
  return (
    <AlbumPartsContext value={parts}>
      <AlbumHead
        files={files}
        isInvited={isInvited}
        onTurn={() => {
          setTurned(opening)
          show('pages')
        }}
        onSkip={() => setTurned(opening)}
      />
      <AlbumGallery items={items} onOpen={show} />
      <Suspense>
        {shown === 'pages' && <AlbumPages title={title} items={items} onClose={close} />}
        {typeof shown === 'number' && (
          <AlbumViewer title={title} items={items} at={shown} onMove={show} onClose={close} />
        )}
      </Suspense>
    </AlbumPartsContext>
  )
}

/** The same ones for as long as the files are the same: viewers begin anew with others. */
function useItems(revelation: OpenRevelation, files: LetterFile[]): AlbumItem[] {
  const { id, file_words = null } = revelation
  const renewUrl = useRenewUrl(id)
  // biome-ignore lint/correctness/useExhaustiveDependencies: what asks for addresses is another function each time, and does the same
  return useMemo(
    () =>
      files.map((file, at) => {
        const renew = (pick: (file: LetterFile) => string | null) =>
          renewUrl((fresh) => {
            const same = isOpen(fresh) ? fresh.files?.[at] : undefined
            return same ? pick(same) : null
          })
        return {
          ...file,
          words: at === 0 ? file_words : null,
          renew: renew(({ url }) => url),
          renewLight: renew(lightOf),
          renewThumbnail: renew(({ thumbnail }) => thumbnail),
        }
      }),
    [id, files, file_words],
  )
}

type Shown = 'pages' | number

/** What lies over the page, with an entry in the history: going back takes it away. */
function useShown() {
  const [shown, setShown] = useState<Shown>()
  const location = useLocation()
  const navigate = useNavigate()
  const hasEntry = (location.state as { album?: true } | null)?.album === true
  // Gone back from. An entry of before a reload shows nothing.
  const [hadEntry, setHadEntry] = useState(hasEntry)
  if (hadEntry !== hasEntry) {
    setHadEntry(hasEntry)
    if (!hasEntry) setShown(undefined)
  }
  const before = useRef<Shown>(undefined)
  useEffect(() => {
    // Where the viewer was left, its thumbnail has the focus, and is seen.
    if (shown === undefined && typeof before.current === 'number') {
      document.querySelector<HTMLElement>(`[data-album-file="${before.current}"]`)?.focus()
    }
    before.current = shown
  }, [shown])
  const show = (next: Shown) => {
    setShown(next)
    if (!hasEntry) void navigate(location, { state: { ...location.state, album: true } })
  }
  const close = () => {
    setShown(undefined)
    if (hasEntry) void navigate(-1)
  }
  return { shown, show, close }
}

interface AlbumHeadProps {
  files: readonly LetterFile[]
  isInvited: boolean
  onTurn: () => void
  onSkip: () => void
}

/**
 * How many there are, and the way to turn them like pages. As the letter opens it stays at the bottom of the screen while the
 * words are read, and takes no other place than it has: nothing moves.
 */
function AlbumHead({ files, isInvited, onTurn, onSkip }: AlbumHeadProps) {
  useInvitation(isInvited, onTurn)
  return (
    <div
      className={classNames(
        '-mx-3 flex min-h-17 flex-wrap items-center justify-between gap-x-3 gap-y-2 rounded-card border px-3 py-2.5 print:hidden sm:-mx-4 sm:px-4',
        isInvited
          ? 'sticky bottom-[calc(var(--bottom-bar)+0.75rem)] z-20 border-line-strong bg-surface shadow-soft'
          : 'border-transparent',
      )}
    >
      <h2
        className={classNames(
          'font-sans font-semibold text-base tracking-normal',
          isInvited && 'max-xs:sr-only',
        )}
      >
        {albumInWords(files)}
      </h2>
      <div
        className={classNames(
          'noscript:hidden flex flex-wrap justify-end gap-2',
          isInvited && 'max-xs:w-full max-xs:justify-between',
        )}
      >
        {isInvited && (
          <Button variant="ghost" onClick={onSkip}>
            Passer
          </Button>
        )}
        <Button
          variant={isInvited ? 'primary' : 'ghost'}
          icon={!isInvited && <BookOpen aria-hidden="true" className="size-5" />}
          aria-haspopup="dialog"
          onPointerEnter={() => void loadPages()}
          onClick={onTurn}
        >
          {isInvited ? 'Tourner la page' : 'Feuilleter'}
          {isInvited && <ChevronRight aria-hidden="true" className="size-5" />}
        </Button>
      </div>
    </div>
  )
}

/** Once the opening is over, Enter, an arrow and a swipe turn the page of words too, unless they are for what is focused or touched. */
function useInvitation(isInvited: boolean, onTurn: () => void): void {
  const turn = useEffectEvent(onTurn)
  useEffect(() => {
    if (!isInvited) return
    void loadPages()
    const stop = new AbortController()
    // As they are captured, before the same input ends the opening.
    const options = { signal: stop.signal, capture: true, passive: true }
    const isFree = () =>
      !document.querySelector('.reveal-animation, [role="dialog"], [role="alertdialog"]')
    addEventListener(
      'keydown',
      ({ key, repeat }) => {
        const { activeElement } = document
        const isOnPage = activeElement === document.body || activeElement?.matches('h1, main')
        if (!repeat && (key === 'Enter' || key === 'ArrowRight') && isOnPage && isFree()) turn()
      },
      options,
    )
    let start: Touch | undefined
    addEventListener(
      'touchstart',
      ({ touches, target }) => {
        const isOwn =
          target instanceof Element && target.closest('input, [role="slider"], textarea')
        start = touches.length === 1 && !isOwn && isFree() ? touches[0] : undefined
      },
      options,
    )
    addEventListener(
      'touchend',
      ({ changedTouches: [end] }) => {
        if (!start || !end) return
        const [x, y] = [end.clientX - start.clientX, end.clientY - start.clientY]
        start = undefined
        if (x < 0 && isSwipe(x, y)) turn()
      },
      options,
    )
    return () => stop.abort()
  }, [isInvited])
}

/** Fetches the pictures of an album that only paper shows; without a network those that came already are printed. */
export async function loadPrinted(refresh: () => Promise<unknown>): Promise<void> {
  await refresh().catch(() => undefined)
  // The page has the new addresses.
  await new Promise(requestAnimationFrame)
  const pictures = document.querySelectorAll<HTMLImageElement>('.keepsake img[loading="lazy"]')
  const arrivals = [...pictures].map((picture) => {
    picture.setAttribute('loading', 'eager')
    return picture.decode()
  })
  await Promise.allSettled(arrivals)
}
