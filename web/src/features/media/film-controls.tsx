import {
  CaptionsButton,
  Controls,
  FullscreenButton,
  Gesture,
  Hotkey,
  MuteButton,
  PiPButton,
  PlayButton,
} from '@videojs/react'
import {
  Captions,
  CaptionsOff,
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  RotateCcw,
  Volume2,
  VolumeX,
} from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { classNames } from '#web/ui/class-names.ts'
import {
  BackButton,
  ControlledMedia,
  ICON,
  SeekBar,
  SpeedButton,
  titled,
} from './player-controls.tsx'

export interface FilmControlsProps {
  media: RefObject<HTMLVideoElement | null>
  /** What fills the screen, with its controls. */
  frame: RefObject<HTMLElement | null>
  onReady: () => void
}

const BUTTON =
  'inline-flex size-11 shrink-0 items-center justify-center rounded-field hover:bg-white/20 focus-visible:-outline-offset-4'
const FULL = { 'aria-hidden': true, className: 'size-5 fill-current' } as const

/** The controls of a film, over its picture; they leave while it plays and nothing moves. */
export function FilmControls({ media, frame, onReady }: FilmControlsProps) {
  const play = useRef<HTMLButtonElement>(null)
  const arrive = useEffectEvent(() => {
    onReady()
    // Where the button that started the film had it.
    if (document.activeElement === frame.current) play.current?.focus({ preventScroll: true })
  })
  useEffect(() => arrive(), [])
  return (
    <ControlledMedia media={media} container={frame}>
      <Controls.Root>
        <Controls.Content className="absolute inset-x-0 bottom-0 bg-linear-to-t from-black/85 via-black/60 to-transparent px-1 pt-6 opacity-0 transition-opacity duration-200 focus-within:opacity-100 data-visible:opacity-100">
          <SeekBar label="Position dans la vidéo" tone="film" className="px-2" />
          <div className="flex items-center">
            <PlayButton
              ref={play}
              className={BUTTON}
              render={titled(({ paused, ended }) => {
                if (ended) return <RotateCcw {...ICON} />
                return paused ? <Play {...FULL} /> : <Pause {...FULL} />
              })}
            />
            <BackButton className={BUTTON} />
            {/* A phone has keys for it. */}
            <MuteButton
              className={classNames(BUTTON, '@max-xs:hidden')}
              render={titled(({ muted }) =>
                muted ? <VolumeX {...ICON} /> : <Volume2 {...ICON} />,
              )}
            />
            <span className="flex-1" />
            <SpeedButton className={BUTTON} />
            <CaptionsButton
              className={BUTTON}
              render={titled(({ subtitlesShowing }) =>
                subtitlesShowing ? <Captions {...ICON} /> : <CaptionsOff {...ICON} />,
              )}
            />
            <PiPButton className={BUTTON} render={titled(() => <PictureInPicture2 {...ICON} />)} />
            <FullscreenButton
              className={BUTTON}
              render={titled(({ fullscreen }) =>
                fullscreen ? <Minimize {...ICON} /> : <Maximize {...ICON} />,
              )}
            />
          </div>
        </Controls.Content>
      </Controls.Root>
      <Hotkey keys="f" action="toggleFullscreen" />
      <Hotkey keys="c" action="toggleSubtitles" />
      <Hotkey keys="i" action="togglePictureInPicture" />
      <Gesture type="tap" action="togglePaused" pointer="mouse" />
      <Gesture type="tap" action="toggleControls" pointer="touch" />
      <Gesture type="doubletap" action="seekStep" value={-10} pointer="touch" region="left" />
      <Gesture type="doubletap" action="seekStep" value={10} pointer="touch" region="right" />
      <Gesture type="doubletap" action="toggleFullscreen" pointer="mouse" />
    </ControlledMedia>
  )
}
