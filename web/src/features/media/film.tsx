import { Play } from 'lucide-react'
import {
  type ComponentType,
  lazy,
  type ReactNode,
  type RefObject,
  Suspense,
  useMemo,
  useRef,
  useState,
} from 'react'
import { lengthInWords } from '#contract/date-in-words.ts'
import { formatDuration } from '#web/lib/format.ts'
import { useHydrated } from '#web/lib/hooks.ts'
import { classNames } from '#web/ui/class-names.ts'
import type { FilmControlsProps } from './film-controls.tsx'
import { placeOf, usePlaybackMemory } from './playback-memory.ts'
import { PlayerOverlay } from './player-overlay.tsx'
import { useObjectUrl } from './use-object-url.ts'
import { playAlone, type usePlayer } from './use-player.ts'

const loadControls = () => import('./film-controls.tsx')
/** Where ours cannot be had, the film keeps the controls of the browser. */
const FilmControls = lazy<ComponentType<FilmControlsProps>>(async () => {
  const controls = await loadControls().catch(() => undefined)
  return { default: controls?.FilmControls ?? (() => null) }
})
const preloadControls = () => void loadControls().catch(() => undefined)

interface FilmProps {
  /** What the film is called by those who do not see it. */
  name: string
  /** What its button says. */
  playLabel: string
  player: ReturnType<typeof usePlayer<HTMLVideoElement>>
  poster: string | null
  /** The file whose place is remembered on this device. */
  file?: string
  /** What is said in it, as WebVTT. */
  captions?: string | null
  /** Plays at once: a button elsewhere was pressed, or the page means it to. */
  plays?: boolean
  isMuted?: boolean
  className: string
  /** Lies over the picture. */
  children?: ReactNode
}

/** A film with the controls of the product, which come when it is started. */
export function Film(props: FilmProps) {
  const { name, playLabel, player, poster, file, captions, plays = false, isMuted = false } = props
  const { media, source, preload, state, handlers, retry, start } = player
  const isHydrated = useHydrated()
  const frame = useRef<HTMLDivElement>(null)
  const [isStarted, setStarted] = useState(plays)
  const [isOurs, setOurs] = useState(false)
  const still = useStill(media)
  usePlaybackMemory(media, file)
  const captionsUrl = useCaptionsUrl(captions)
  const begin = (fromSeconds?: number) => {
    setStarted(true)
    // The button goes: until the controls are there the keys belong to the film.
    frame.current?.focus({ preventScroll: true })
    start(fromSeconds)
  }
  return (
    <div
      ref={frame}
      tabIndex={-1}
      className={classNames(
        'theme-night @container group relative overflow-hidden bg-black text-white',
        // Captions can be read on a phone, and stand above the controls while these are there.
        '[&>video::cue]:font-sans [&>video::cue]:text-base [&:fullscreen>video::cue]:text-3xl',
        '[&:has([data-visible])>video::-webkit-media-text-track-container]:transform-[translateY(-5rem)]',
      )}
    >
      <video
        ref={media}
        data-picture=""
        src={source}
        poster={poster ?? undefined}
        // Those of the browser, for who has no code yet, or none at all.
        controls={isHydrated ? isStarted && !isOurs : true}
        autoPlay={plays}
        muted={isMuted}
        playsInline
        preload={preload}
        aria-label={name}
        className={classNames(
          'object-contain group-[:fullscreen]:size-full group-[:fullscreen]:max-h-none',
          props.className,
        )}
        onPlay={(event) => {
          playAlone(event.currentTarget)
          setStarted(true)
        }}
        {...handlers}
        onError={() => {
          still.freeze()
          return handlers.onError()
        }}
        onSeeked={still.release}
        onPlaying={() => {
          still.release()
          handlers.onPlaying()
        }}
      >
        {captionsUrl && (
          <track kind="captions" srcLang="fr" label="Sous-titres" src={captionsUrl} />
        )}
      </video>
      <canvas
        ref={still.canvas}
        hidden={!still.isFrozen || state === 'failed'}
        className="absolute inset-0 size-full object-contain"
      />
      {isStarted ? (
        <Suspense>
          <FilmControls media={media} frame={frame} onReady={() => setOurs(true)} />
        </Suspense>
      ) : (
        <Cover
          playLabel={playLabel}
          resumeAt={isHydrated && file !== undefined ? placeOf(file) : undefined}
          onStart={begin}
        />
      )}
      {props.children}
      {(isStarted || state === 'failed') && <PlayerOverlay state={state} onRetry={retry} />}
    </div>
  )
}

/** The picture that stood there, while the film is loaded under another ticket: no cut is seen. */
function useStill(media: RefObject<HTMLVideoElement | null>) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isFrozen, setFrozen] = useState(false)
  const freeze = () => {
    const [film, copy] = [media.current, canvas.current]
    if (!film || !copy || film.videoWidth === 0 || film.currentTime === 0) return
    copy.width = film.videoWidth
    copy.height = film.videoHeight
    copy.getContext('2d')?.drawImage(film, 0, 0)
    setFrozen(true)
  }
  return { canvas, isFrozen, freeze, release: () => setFrozen(false) }
}

/** Captions come with the letter, by its right: they are no file of their own to fetch. */
function useCaptionsUrl(captions: string | null | undefined): string | undefined {
  const file = useMemo(
    () => (captions ? new File([captions], 'captions.vtt', { type: 'text/vtt' }) : undefined),
    [captions],
  )
  return useObjectUrl(file)
}

interface CoverProps {
  playLabel: string
  resumeAt: number | undefined
  onStart: (fromSeconds?: number) => void
}

/** Over the poster until the film is started; a person may go on where they were. */
function Cover({ playLabel, resumeAt, onStart }: CoverProps) {
  const isResumed = resumeAt !== undefined
  return (
    <div className="noscript:hidden absolute inset-0 bg-black/25">
      <button
        type="button"
        aria-label={isResumed ? `${playLabel}, à partir de ${lengthInWords(resumeAt)}` : playLabel}
        onClick={() => onStart(resumeAt)}
        onPointerEnter={preloadControls}
        onFocus={preloadControls}
        className={classNames(
          'group/play absolute inset-0 flex items-center justify-center focus-visible:-outline-offset-4',
          isResumed && 'pb-10',
        )}
      >
        <span className="inline-flex size-14 @xs:size-16 items-center justify-center rounded-full bg-wax text-on-wax shadow-soft transition-transform group-hover/play:scale-105 group-hover/play:bg-wax-hover">
          <Play aria-hidden="true" className="ml-1 size-7 fill-current" />
        </span>
        {isResumed && (
          <span className={classNames(CHOICE, 'left-2 tabular-digits')}>
            Reprendre à {formatDuration(resumeAt)}
          </span>
        )}
      </button>
      {isResumed && (
        <button
          type="button"
          onClick={() => onStart(0)}
          className={classNames(CHOICE, 'right-2 hover:bg-black/90')}
        >
          Depuis le début
        </button>
      )}
    </div>
  )
}

const CHOICE =
  'absolute bottom-2 inline-flex h-11 items-center rounded-field bg-black/70 px-2.5 font-semibold text-xs sm:text-sm'
