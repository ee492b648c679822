import { Pause, Play } from 'lucide-react'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

/* What the players of sounds have in common. */

interface PlayToggleProps {
  title: string
  isPlaying: boolean
  onToggle: () => void
}

/** The one large button of a sound. */
export function PlayToggle({ title, isPlaying, onToggle }: PlayToggleProps) {
  return (
    <button
      type="button"
      aria-label={isPlaying ? `Mettre ${title} en pause` : `Écouter ${title}`}
      onClick={onToggle}
      className="noscript:hidden inline-flex size-14 shrink-0 items-center justify-center rounded-full bg-wax text-on-wax shadow-soft hover:bg-wax-hover"
    >
      {isPlaying ? (
        <Pause aria-hidden="true" className="size-6 fill-current" />
      ) : (
        <Play aria-hidden="true" className="ml-0.5 size-6 fill-current" />
      )}
    </button>
  )
}

export function SoundFailure({ onRetry }: { onRetry: () => void }) {
  return (
    <Notice
      tone="error"
      title="Erreur lors du chargement du fichier"
      action={
        <Button variant="secondary" onClick={onRetry}>
          Réessayer
        </Button>
      }
    />
  )
}
