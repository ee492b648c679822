import { type ComponentType, lazy, Suspense, useRef, useState } from 'react'
import { formatDuration } from '#web/lib/format.ts'
import { useHydrated } from '#web/lib/hooks.ts'
import { classNames } from '#web/ui/class-names.ts'
import { placeOf, usePlaybackMemory } from './playback-memory.ts'
import type { SoundControlsProps } from './sound-controls.tsx'
import { PlayToggle, SoundFailure } from './sound-parts.tsx'
import { fileOf, playAlone, type RenewUrl, usePlayer } from './use-player.ts'

const loadControls = () => import('./sound-controls.tsx')
/** Where the bar cannot be had, the sound plays without it. */
const SoundControls = lazy<ComponentType<SoundControlsProps>>(async () => {
  const controls = await loadControls().catch(() => undefined)
  return { default: controls?.SoundControls ?? (() => null) }
})

interface SoundPlayerProps {
  title: string
  url: string
  /** The file whose place is remembered on this device: one sound may have several addresses. */
  file: string
  durationSeconds: number | null
  renew: RenewUrl
}

/** The sound of a letter: one large button, and what comes with the first touch: a bar to seek, ten seconds back, the speed. */
export function SoundPlayer({ title, url, file, durationSeconds, renew }: SoundPlayerProps) {
  const player = usePlayer<HTMLAudioElement>(url, renew)
  const { media, source, preload, state, handlers, retry, start } = player
  const isHydrated = useHydrated()
  const frame = useRef<HTMLDivElement>(null)
  const [isPlaying, setPlaying] = useState(false)
  const [isWanted, setWanted] = useState(false)
  const [isStarted, setStarted] = useState(false)
  usePlaybackMemory(media, fileOf(file))
  const resumeAt = isHydrated && !isStarted ? placeOf(fileOf(file)) : undefined
  const isFailed = state === 'failed'
  const toggle = () => {
    setWanted(true)
    setStarted(true)
    if (isPlaying) media.current?.pause()
    // Once it is loaded it stands there already, or where the bar was moved to.
    else start(media.current?.readyState === 0 ? resumeAt : undefined)
  }
  return (
    <section
      ref={frame}
      aria-label={`Lecteur\u202F: ${title}`}
      className={classNames(
        'print:hidden',
        !isFailed &&
          'flex flex-wrap items-center gap-x-3 rounded-card border border-line bg-ground p-3 sm:px-4',
      )}
      onPointerEnter={() => setWanted(true)}
      onFocus={() => setWanted(true)}
    >
      <audio
        ref={media}
        src={source}
        // Those of the browser where there is no code at all.
        controls={!isHydrated}
        className="noscript:block hidden w-full"
        preload={preload}
        onPlay={(event) => {
          playAlone(event.currentTarget)
          setPlaying(true)
        }}
        onPause={() => setPlaying(false)}
        onEnded={(event) => {
          event.currentTarget.currentTime = 0
        }}
        {...handlers}
        onLoadedMetadata={(event) => {
          if (resumeAt !== undefined) event.currentTarget.currentTime = resumeAt
          handlers.onLoadedMetadata()
        }}
      />
      {isFailed ? (
        <SoundFailure onRetry={retry} />
      ) : (
        <>
          <PlayToggle title={title} isPlaying={isPlaying} onToggle={toggle} />
          <Suspense fallback={<Still resumeAt={resumeAt} durationSeconds={durationSeconds} />}>
            {isWanted ? (
              <SoundControls media={media} frame={frame} />
            ) : (
              <Still resumeAt={resumeAt} durationSeconds={durationSeconds} />
            )}
          </Suspense>
        </>
      )}
    </section>
  )
}

interface StillProps {
  resumeAt: number | undefined
  durationSeconds: number | null
}

/** As large as what comes in its place. */
function Still({ resumeAt = 0, durationSeconds }: StillProps) {
  const length = durationSeconds ?? 0
  const percent = length > 0 ? Math.min(100, (100 * resumeAt) / length) : 0
  return (
    <>
      <div className="noscript:hidden tabular-digits flex h-11 min-w-36 flex-1 items-center gap-3 text-ink-soft text-sm">
        <span>{formatDuration(resumeAt)}</span>
        <span className="h-1.5 flex-1 overflow-hidden rounded-full bg-line">
          <span className="block h-full bg-wax-ink" style={{ width: `${percent}%` }} />
        </span>
        <span>{formatDuration(length)}</span>
      </div>
      <span className="noscript:hidden ml-auto h-11 w-22" />
    </>
  )
}
