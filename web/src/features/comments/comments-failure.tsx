import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'

interface CommentsFailureProps {
  error: Error
  isRetrying: boolean
  onRetry: () => void
}

export function CommentsFailure({ error, isRetrying, onRetry }: CommentsFailureProps) {
  return (
    <Notice
      tone="error"
      title="Impossible de charger les commentaires"
      action={
        <Button variant="secondary" busy={isRetrying} onClick={onRetry}>
          Réessayer
        </Button>
      }
    >
      {errorSentence(error, 'Erreur API')}
    </Notice>
  )
}
