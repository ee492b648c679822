import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Spinner } from '#web/ui/spinner.tsx'

interface MoreSoundsProps {
  isLoading: boolean
  hasFailed: boolean
  retry: () => unknown
  /** A search or a filter is at work: what is shown is not all of it yet. */
  isSought: boolean
}

/** What becomes of the rest of a long list. */
export function MoreSounds({ isLoading, hasFailed, retry, isSought }: MoreSoundsProps) {
  if (hasFailed) {
    return (
      <Notice
        tone="error"
        className="mt-4"
        action={
          <Button variant="secondary" onClick={() => retry()}>
            Réessayer
          </Button>
        }
      >
        La suite n’a pas pu être chargée.
      </Notice>
    )
  }
  if (!isLoading || !isSought) return null
  return (
    <p role="status" className="mt-4 flex items-center justify-center gap-3 text-ink-soft">
      <Spinner /> Recherche dans tous les messages
    </p>
  )
}
