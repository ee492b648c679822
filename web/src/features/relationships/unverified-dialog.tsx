import { ApiError } from '#web/lib/api-client.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'

interface UnverifiedDialogProps {
  pseudo: string
  /** Why the last attempt failed: asks only where it was for want of a proved address. */
  error: Error | null
  onConfirm: () => void
  onClose: () => void
}

/** Whether somebody would become family whose address nobody proved, so that it must be said twice. */
export function isUnverifiedSender(error: Error | null): boolean {
  return error instanceof ApiError && error.code === 'unverified_sender'
}

/** What it opens to make family of somebody who may be anybody. */
export function UnverifiedDialog({ pseudo, error, onConfirm, onClose }: UnverifiedDialogProps) {
  return (
    <ConfirmDialog
      open={isUnverifiedSender(error)}
      onOpenChange={onClose}
      title={`Accepter @${pseudo} dans votre famille\u202F?`}
      description={
        <>
          <p>
            L’adresse de cette personne n’est pas vérifiée&nbsp;: rien ne dit qui elle est.
            Demandez-le-lui de vive voix si vous avez un doute.
          </p>
          <p className="mt-3">Si vous acceptez, elle pourra&nbsp;:</p>
          <ul className="mt-1 list-disc pl-5">
            <li>
              lire vos lettres «&nbsp;famille&nbsp;» et «&nbsp;amis&nbsp;», une fois
              dévoilées&nbsp;;
            </li>
            <li>voir ce qui s’annonce dans votre cercle privé&nbsp;;</li>
            <li>écouter vos messages vocaux pour la famille.</li>
          </ul>
        </>
      }
      confirmLabel="Accepter quand même"
      onConfirm={onConfirm}
    />
  )
}
