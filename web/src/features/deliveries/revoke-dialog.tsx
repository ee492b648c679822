import { useRef } from 'react'
import type { Delivery } from '#contract/deliveries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { useRevokeDelivery } from './deliveries.queries.ts'

interface RevokeDialogProps {
  revelationId: string
  delivery: Delivery
  onClose: () => void
  /** Where the focus goes once the button that asked is gone. */
  returnTo: () => HTMLElement | null
}

export function RevokeDialog({ revelationId, delivery, onClose, returnTo }: RevokeDialogProps) {
  const { id, address } = delivery
  const isRevoked = useRef(false)
  const {
    mutate: revoke,
    isPending,
    error,
  } = useRevokeDelivery(revelationId, () => {
    isRevoked.current = true
    onClose()
    showToast('success', 'Lien désactivé')
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Désactiver le lien envoyé à ${address}\u202F?`}
      description="Le lien personnel de ce mail n’ouvre plus rien, et dit à qui le suit que vous l’avez désactivé. Ce qui a déjà été lu ou téléchargé reste chez son lecteur, et une personne inscrite avec cette adresse vérifiée garde son accès. Vous pourrez renvoyer un nouveau lien."
      confirmLabel="Désactiver"
      busy={isPending}
      returnTo={() => (isRevoked.current ? returnTo() : null)}
      error={
        error ? errorSentence(error, 'Le lien n’a pas pu être désactivé. Réessayez.') : undefined
      }
      onConfirm={() => revoke(id)}
    />
  )
}
