import { Check } from 'lucide-react'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { announceRelated } from './relationship-types.tsx'
import { useAnswerRequest } from './relationships.queries.ts'

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

interface UnverifiedDialogProps {
  pseudo: string
  /** The last failure; the dialog opens only for an unverified address. */
  error: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Whether a new family member has an unverified address, which needs a confirmation. */
export function isUnverifiedSender(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'unverified_sender'
}

/** What a family member with an unverified address would see. */
export function UnverifiedDialog({ pseudo, error, onConfirm, onClose }: UnverifiedDialogProps) {
  return (
    <ConfirmDialog
      open={isUnverifiedSender(error)}
      onOpenChange={onClose}
      title={`Accepter @${pseudo} dans votre famille\u202F?`}
      description={
        <>
          <p>
            L’adresse de cette personne n’est pas vérifiée&#8239;: rien ne dit qui elle est.
            Demandez-le-lui de vive voix si vous avez un doute.
          </p>
          <p className="mt-3">Si vous acceptez, elle pourra&#8239;:</p>
          <ul className="mt-1 list-disc pl-5">
            <li>
              lire vos lettres «&#8239;famille&#8239;» et «&#8239;amis&#8239;», une fois
              dévoilées&#8239;;
            </li>
            <li>voir ce qui s’annonce dans votre cercle privé&#8239;;</li>
            <li>écouter vos messages vocaux pour la famille.</li>
          </ul>
        </>
      }
      confirmLabel="Accepter quand même"
      onConfirm={onConfirm}
    />
  )
}
