import { Pause, Play, Volume2, VolumeX } from 'lucide-react'
import { useState } from 'react'
import { formatDuration } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { PlayerOverlay } from './player-overlay.tsx'
import type { RenewUrl } from './use-player.ts'
import { playAlone, usePlayer } from './use-player.ts'

interface TeaserPlayerProps {
  title: string
  url: string
  poster: string | null
  lengthSeconds: number
  renew: RenewUrl
}

/** Plays the teaser: a file of its own, with nothing else of the video. Its bar does not seek. */
export function TeaserPlayer({ title, url, poster, lengthSeconds, renew }: TeaserPlayerProps) {
  const { media, source, preload, state, handlers, retry } = usePlayer<HTMLVideoElement>(url, renew)
  const [isPlaying, setPlaying] = useState(false)
  const [isMuted, setMuted] = useState(false)
  const [elapsed, setElapsed] = useState(0)
  const toggle = () => {
    const player = media.current
    if (!player) return
    if (player.paused) player.play().catch(() => setPlaying(false))
    else player.pause()
  }
  const rewind = () => {
    const player = media.current
    if (!player) return
    player.pause()
    player.currentTime = 0
  }
  return (
    <div className="relative overflow-hidden rounded-card bg-black shadow-soft">
      <video
        ref={media}
        src={source}
        poster={poster ?? undefined}
        playsInline
        preload={preload}
        muted={isMuted}
        aria-label={`Aperçu\u202F: ${title}`}
        className="aspect-video max-h-[65dvh] w-full object-contain"
        onClick={toggle}
        onPlay={(event) => {
          playAlone(event.currentTarget)
          setPlaying(true)
        }}
        onPause={() => setPlaying(false)}
        onTimeUpdate={(event) => setElapsed(event.currentTarget.currentTime)}
        onEnded={rewind}
        {...handlers}
      />
      <Badge tone="ember" className="absolute top-3 right-3">
        Aperçu · {formatDuration(lengthSeconds)}
      </Badge>
      {!isPlaying && state === 'ready' && (
        <button
          type="button"
          aria-label={`Lire l’aperçu de ${title}`}
          onClick={toggle}
          className="-translate-1/2 absolute top-1/2 left-1/2 inline-flex size-18 items-center justify-center rounded-full bg-wax text-on-wax shadow-soft transition-transform hover:scale-105 hover:bg-wax-hover"
        >
          <Play aria-hidden="true" className="ml-1 size-8 fill-current" />
        </button>
      )}
      <div className="absolute inset-x-0 bottom-0 flex items-center gap-2 bg-linear-to-t from-black/80 to-transparent px-3 pt-6 pb-1 text-white">
        <IconButton
          label={isPlaying ? 'Mettre l’aperçu en pause' : 'Lire l’aperçu'}
          icon={
            isPlaying ? (
              <Pause aria-hidden="true" className="size-5" />
            ) : (
              <Play aria-hidden="true" className="size-5" />
            )
          }
          className="text-white hover:bg-white/15 hover:text-white"
          onClick={toggle}
        />
        <div aria-hidden="true" className="h-1.5 flex-1 overflow-hidden rounded-full bg-white/30">
          <div
            className="h-full bg-ember"
            style={{ width: `${Math.min(100, (elapsed / lengthSeconds) * 100)}%` }}
          />
        </div>
        <span className="tabular-digits text-sm">
          {formatDuration(Math.min(elapsed, lengthSeconds))} / {formatDuration(lengthSeconds)}
        </span>
        <IconButton
          label={isMuted ? 'Remettre le son' : 'Couper le son'}
          icon={
            isMuted ? (
              <VolumeX aria-hidden="true" className="size-5" />
            ) : (
              <Volume2 aria-hidden="true" className="size-5" />
            )
          }
          className="text-white hover:bg-white/15 hover:text-white"
          onClick={() => setMuted(!isMuted)}
        />
      </div>
      <PlayerOverlay state={state} onRetry={retry} />
    </div>
  )
}
