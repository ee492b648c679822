import {
  bufferFeature,
  controlsFeature,
  createPlayer,
  fullscreenFeature,
  Hotkey,
  I18nContext,
  pipFeature,
  playbackFeature,
  playbackRateFeature,
  SeekButton,
  StatusAnnouncer,
  selectPlaybackRate,
  Time,
  TimeSlider,
  textTrackFeature,
  timeFeature,
  useContainerAttach,
  useMediaAttach,
  usePlayer,
  volumeFeature,
} from '@videojs/react'
import { createTranslator, getI18nTranslations, registerI18n } from '@videojs/react/i18n'
import french from '@videojs/react/i18n/locales/fr'
import {
  type ComponentProps,
  type ReactElement,
  type ReactNode,
  type RefObject,
  useEffect,
} from 'react'
import { classNames } from '#web/ui/class-names.ts'
import { SPEEDS } from './playback-memory.ts'

const { Player } = createPlayer({
  features: [
    playbackFeature,
    playbackRateFeature,
    volumeFeature,
    timeFeature,
    bufferFeature,
    fullscreenFeature,
    pipFeature,
    controlsFeature,
    textTrackFeature,
  ],
})

const STEP_SECONDS = 5
const BACK_SECONDS = 10
const [SLOWEST = 1] = SPEEDS
const DIGITS = 'tabular-digits font-semibold text-sm'
export const ICON = { 'aria-hidden': true, className: 'size-5' } as const

// The words of the library, and ours where it has others for what the rest of the product names.
registerI18n('fr', french)
registerI18n('fr', {
  buttons: { mute: 'Couper le son', unmute: 'Remettre le son' },
  pip: { enter: 'Image dans l’image', exit: 'Quitter l’image dans l’image' },
  time: { position: '{current} sur {duration}' },
})
/** In place of its own provider, which would bring the words of fifty languages. */
const WORDS = {
  locale: 'fr',
  localeFromProp: true,
  localeFromOwnProp: true,
  translator: createTranslator(getI18nTranslations('fr'), 'fr'),
}

interface ControlledMediaProps {
  media: RefObject<HTMLMediaElement | null>
  container: RefObject<HTMLElement | null>
  children: ReactNode
}

/** Controls around an element that is in the page already, and stays ours: its address, its ticket, its place. */
export function ControlledMedia({ media, container, children }: ControlledMediaProps) {
  return (
    <I18nContext value={WORDS}>
      <Player>
        <Attach media={media} container={container} />
        {children}
        <Hotkey keys="Space" action="togglePaused" />
        <Hotkey keys="k" action="togglePaused" />
        <Hotkey keys="m" action="toggleMuted" />
        <Hotkey keys="ArrowLeft" action="seekStep" value={-STEP_SECONDS} />
        <Hotkey keys="ArrowRight" action="seekStep" value={STEP_SECONDS} />
        <Hotkey keys="ArrowUp" action="volumeStep" value={0.1} />
        <Hotkey keys="ArrowDown" action="volumeStep" value={-0.1} />
        <Hotkey keys="0-9" action="seekToPercent" />
        <StatusAnnouncer className="sr-only" />
      </Player>
    </I18nContext>
  )
}

function Attach({ media, container }: Omit<ControlledMediaProps, 'children'>) {
  const setMedia = useMediaAttach()
  const setContainer = useContainerAttach()
  useEffect(() => {
    setMedia?.(media.current)
    setContainer?.(container.current)
  }, [setMedia, setContainer, media, container])
  return null
}

/** A button with its name under the pointer too, as all others of the product have. */
export function titled<State>(icon: (state: State) => ReactNode) {
  return (props: ComponentProps<'button'>, state: State): ReactElement => (
    <button {...props} title={props['aria-label']}>
      {icon(state)}
    </button>
  )
}

export function BackButton({ className }: { className: string }) {
  return (
    <SeekButton
      seconds={-BACK_SECONDS}
      className={classNames(className, DIGITS)}
      render={titled(() => `−${BACK_SECONDS}\u202Fs`)}
    />
  )
}

/** Each press is the next speed; the slowest follows the fastest. */
export function SpeedButton({ className }: { className: string }) {
  const { playbackRate = 1, setPlaybackRate } = usePlayer(selectPlaybackRate) ?? {}
  const next = SPEEDS[SPEEDS.indexOf(playbackRate) + 1] ?? SLOWEST
  const label = `Vitesse\u202F: ${formatSpeed(playbackRate)}`
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      onClick={() => setPlaybackRate?.(next)}
      className={classNames(className, DIGITS)}
    >
      {formatSpeed(playbackRate)}
    </button>
  )
}

const hundredth = new Intl.NumberFormat('fr', { maximumFractionDigits: 2 })

/** « ×1,25 ». */
function formatSpeed(speed: number): string {
  return `×${hundredth.format(speed)}`
}

interface SeekBarProps {
  label: string
  tone: 'film' | 'page'
  className?: string
}

const TONES = {
  film: { track: 'bg-white/30', buffer: 'bg-white/35', fill: 'bg-white' },
  page: { track: 'bg-line', buffer: 'bg-line-strong/40', fill: 'bg-wax-ink' },
}

/** The time on both ends, and between them what a finger, a pointer or the arrows move. */
export function SeekBar({ label, tone, className }: SeekBarProps) {
  const { track, buffer, fill } = TONES[tone]
  return (
    <div className={classNames('tabular-digits flex items-center gap-3 text-sm', className)}>
      <Time.Value type="current" />
      <TimeSlider.Root
        label={label}
        step={STEP_SECONDS}
        largeStep={30}
        className="group/seek relative flex h-11 min-w-0 flex-1 cursor-pointer touch-none items-center"
      >
        <TimeSlider.Track
          className={classNames('relative h-1.5 w-full overflow-hidden rounded-full', track)}
        >
          <TimeSlider.Buffer
            className={classNames('absolute inset-y-0 left-0 w-(--media-slider-buffer)', buffer)}
          />
          <TimeSlider.Fill
            className={classNames(
              'absolute inset-y-0 left-0 w-(--media-slider-fill) group-data-dragging/seek:w-(--media-slider-pointer)',
              fill,
            )}
          />
        </TimeSlider.Track>
        <TimeSlider.Thumb
          className={classNames(
            '-translate-x-1/2 absolute left-(--media-slider-fill) size-4 rounded-full group-data-dragging/seek:left-(--media-slider-pointer)',
            fill,
          )}
        />
        <TimeSlider.Value
          type="pointer"
          className="-translate-x-1/2 pointer-events-none absolute bottom-9 left-(--media-slider-pointer) rounded-md bg-black/85 px-2 py-0.5 text-white opacity-0 group-data-pointing/seek:opacity-100"
        />
      </TimeSlider.Root>
      <Time.Value type="duration" />
    </div>
  )
}
