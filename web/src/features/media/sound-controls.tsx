import type { RefObject } from 'react'
import { BackButton, ControlledMedia, SeekBar, SpeedButton } from './player-controls.tsx'

export interface SoundControlsProps {
  media: RefObject<HTMLAudioElement | null>
  frame: RefObject<HTMLElement | null>
}

const BUTTON =
  'inline-flex size-11 shrink-0 items-center justify-center rounded-field text-ink-soft hover:bg-sunken hover:text-ink'

/** What stands beside the button of a sound. */
export function SoundControls({ media, frame }: SoundControlsProps) {
  return (
    <ControlledMedia media={media} container={frame}>
      <SeekBar
        label="Position dans le message"
        tone="page"
        className="min-w-36 flex-1 text-ink-soft"
      />
      <span className="ml-auto flex">
        <BackButton className={BUTTON} />
        <SpeedButton className={BUTTON} />
      </span>
    </ControlledMedia>
  )
}
