import { errorSentence } from '#web/lib/api-client.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'

interface CommentsFailureProps {
  error: Error
  isRetrying: boolean
  onRetry: () => void
}

export function CommentsFailure({ error, ...retrying }: CommentsFailureProps) {
  return (
    <LoadFailure title="Impossible de charger les commentaires" {...retrying}>
      {errorSentence(error, 'Erreur API')}
    </LoadFailure>
  )
}
