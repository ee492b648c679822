import { Check } from 'lucide-react'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { announceRelated } from './relationship-toasts.ts'
import { useAnswerRequest } from './relationships.queries.ts'
import { isUnverifiedSender, UnverifiedDialog } from './unverified-dialog.tsx'

interface AnswerButtonsProps {
  request: { id: string }
  /** Whose request it is. */
  pseudo: string
}

export function AnswerButtons({ request, pseudo }: AnswerButtonsProps) {
  const { mutate, isPending, variables, error, reset } = useAnswerRequest(
    ({ relationship }) => relationship && announceRelated(pseudo, relationship),
  )
  const answer = (action: 'accept' | 'decline') => mutate({ id: request.id, action })
  return (
    <>
      <Button
        icon={<Check aria-hidden="true" className="size-5" />}
        busy={isPending && variables.action === 'accept'}
        disabled={isPending}
        aria-label={`Accepter @${pseudo}`}
        onClick={() => answer('accept')}
      >
        Accepter
      </Button>
      <Button
        variant="secondary"
        busy={isPending && variables.action === 'decline'}
        disabled={isPending}
        aria-label={`Refuser @${pseudo}`}
        onClick={() => answer('decline')}
      >
        Refuser
      </Button>
      {error && !isUnverifiedSender(error) && (
        <Notice tone="error" className="w-full">
          {errorSentence(error, 'Erreur lors du traitement de la demande')}
        </Notice>
      )}
      <UnverifiedDialog
        pseudo={pseudo}
        error={error}
        onConfirm={() => mutate({ id: request.id, action: 'accept', confirm: true })}
        onClose={reset}
      />
    </>
  )
}
