import { Button } from '#web/ui/button.tsx'
import { Spinner } from '#web/ui/loading.tsx'
import type { PlayerState } from './use-player.ts'

interface PlayerOverlayProps {
  state: PlayerState
  onRetry: () => void
}

/** Covers a video that loads or has failed. */
export function PlayerOverlay({ state, onRetry }: PlayerOverlayProps) {
  if (state === 'ready') return null
  if (state === 'failed') {
    return (
      <div
        role="alert"
        className="absolute inset-0 flex flex-col items-center justify-center gap-3 bg-sunken p-4 text-center"
      >
        <p className="font-semibold">Erreur de chargement vidéo</p>
        <Button variant="secondary" onClick={onRetry}>
          Réessayer
        </Button>
      </div>
    )
  }
  return (
    <div
      role="status"
      className="pointer-events-none absolute inset-0 flex items-center justify-center text-white"
    >
      <span className="rounded-full bg-black/60 p-3">
        <Spinner />
      </span>
      <span className="sr-only">
        {state === 'loading' ? 'Chargement de la vidéo' : 'Mise en mémoire de la vidéo'}
      </span>
    </div>
  )
}
