import { type ReactNode, useState } from 'react'
import { formatDuration, speakPlace } from '#web/lib/format.ts'
import { PlayToggle, SoundFailure } from './sound-parts.tsx'
import { playAlone, type RenewUrl, usePlayer } from './use-player.ts'

interface AudioPlayerProps {
  title: string
  url: string
  durationSeconds: number | null
  renew: RenewUrl
  /** Replaces the default message when the file cannot be played. */
  failure?: ReactNode
}

/** A recording that is not sent yet: one large button, and a bar to seek. Browsers write no length in what they record. */
export function AudioPlayer({ title, url, durationSeconds, renew, failure }: AudioPlayerProps) {
  const { media, source, preload, state, handlers, retry } = usePlayer<HTMLAudioElement>(url, renew)
  const [isPlaying, setPlaying] = useState(false)
  const [elapsed, setElapsed] = useState(0)
  const [known, setKnown] = useState<number>()
  const length = durationSeconds ?? known ?? 0
  const toggle = () => {
    const player = media.current
    if (!player) return
    if (player.paused) player.play().catch(() => setPlaying(false))
    else player.pause()
  }
  const seek = (position: number) => {
    if (media.current) media.current.currentTime = position
    setElapsed(position)
  }
  if (state === 'failed') {
    if (failure) return failure
    return <SoundFailure onRetry={retry} />
  }
  return (
    <div className="flex print:hidden items-center gap-4 rounded-card border border-line bg-ground p-3 sm:p-4">
      <audio
        ref={media}
        src={source}
        preload={preload}
        onPlay={(event) => {
          playAlone(event.currentTarget)
          setPlaying(true)
        }}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => setElapsed(event.currentTarget.currentTime)}
        onDurationChange={({ currentTarget: { duration } }) => {
          if (Number.isFinite(duration)) setKnown(duration)
        }}
        onEnded={() => seek(0)}
        {...handlers}
      />
      <PlayToggle title={title} isPlaying={isPlaying} onToggle={toggle} />
      <div className="min-w-0 flex-1">
        <input
          type="range"
          aria-label="Position dans le message"
          aria-valuetext={speakPlace(Math.round(elapsed))}
          min={0}
          max={length || 1}
          step={0.1}
          value={Math.min(elapsed, length)}
          onChange={(event) => seek(event.target.valueAsNumber)}
          className="h-11 w-full accent-wax"
        />
        <p className="tabular-digits -mt-1 flex justify-between text-ink-soft text-sm">
          <span>{formatDuration(elapsed)}</span>
          <span>{formatDuration(length)}</span>
        </p>
      </div>
    </div>
  )
}
