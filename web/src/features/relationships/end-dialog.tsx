import { errorSentence } from '#web/lib/api-client.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { useEndRelationship } from './relationships.queries.ts'

interface EndDialogProps {
  /** The dialog is closed without a relationship. */
  relationshipId: string | undefined
  pseudo: string
  onClose: () => void
}

export function EndDialog({ relationshipId, pseudo, onClose }: EndDialogProps) {
  const { mutate: end, isPending, error, reset } = useEndRelationship(onClose)
  return (
    <ConfirmDialog
      open={relationshipId !== undefined}
      onOpenChange={() => {
        reset()
        onClose()
      }}
      title="Êtes-vous sûr de vouloir supprimer cette relation ?"
      description={`Vous et @${pseudo} ne verrez plus, l’un de l’autre, que ce qui est public. Cette personne n’en est pas avertie.`}
      confirmLabel="Supprimer"
      busy={isPending}
      error={error ? errorSentence(error, 'Erreur lors de la suppression') : undefined}
      onConfirm={() => relationshipId && end(relationshipId)}
    />
  )
}
