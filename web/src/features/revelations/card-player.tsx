import { PlayerOverlay } from '#web/features/media/player-overlay.tsx'
import type { RenewUrl } from '#web/features/media/use-player.ts'
import { playAlone, usePlayer } from '#web/features/media/use-player.ts'

interface CardPlayerProps {
  name: string
  url: string
  renew: RenewUrl
  isMuted?: boolean
}

/** The player that takes the place of a thumbnail. It starts by itself: it was asked for. */
export function CardPlayer({ name, url, renew, isMuted = false }: CardPlayerProps) {
  const { media, source, state, handlers, retry } = usePlayer<HTMLVideoElement>(url, renew)
  return (
    <div className="relative z-10 aspect-video w-full bg-black">
      <video
        ref={media}
        src={source}
        controls
        autoPlay
        muted={isMuted}
        playsInline
        aria-label={name}
        className="size-full"
        onPlay={(event) => playAlone(event.currentTarget)}
        {...handlers}
      />
      <PlayerOverlay state={state} onRetry={retry} />
    </div>
  )
}
