import { AtSign, Link2Off, RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { Delivery } from '#contract/deliveries.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { useResendDelivery } from './deliveries.queries.ts'
import { ReaddressDialog } from './readdress-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

interface DeliveryActionsProps {
  revelationId: string
  delivery: Delivery
  /** Where the focus goes once the button that was tapped is gone. */
  returnTo: () => HTMLElement | null
}

/** What its author may do about a delivery, as the server allows it now. */
export function DeliveryActions({ revelationId, delivery, returnTo }: DeliveryActionsProps) {
  const { id, address, can, state } = delivery
  const [opened, setOpened] = useState<'readdress' | 'revoke'>()
  const resend = useResendDelivery(revelationId, () => {
    showToast('success', `Le lien repart vers ${address}`)
  })
  const close = () => setOpened(undefined)
  // What was refused may be settled by another attempt, or by another address.
  const isWrong = state === 'failed'
  if (!can.resend && !can.readdress && !can.revoke) return null
  return (
    <div className="flex flex-col gap-3">
      <div className="grid gap-2 xs:flex xs:flex-wrap">
        {can.readdress && (
          <Button
            variant={isWrong ? 'primary' : 'secondary'}
            aria-label={`Changer l’adresse ${address}`}
            icon={<AtSign aria-hidden="true" className="size-4.5" />}
            onClick={() => setOpened('readdress')}
          >
            Changer l’adresse
          </Button>
        )}
        {can.resend && (
          <Button
            variant="secondary"
            aria-label={`Renvoyer le lien à ${address}`}
            busy={resend.isPending}
            busyLabel="Envoi du lien"
            icon={<RotateCw aria-hidden="true" className="size-4.5" />}
            onClick={() => resend.mutate(id)}
          >
            Renvoyer le lien
          </Button>
        )}
        {can.revoke && (
          <Button
            variant="ghost"
            aria-label={`Désactiver le lien envoyé à ${address}`}
            icon={<Link2Off aria-hidden="true" className="size-4.5" />}
            onClick={() => setOpened('revoke')}
          >
            Désactiver le lien
          </Button>
        )}
      </div>
      {resend.error && (
        <Notice tone="error">
          {errorSentence(resend.error, 'Le lien n’a pas pu être renvoyé. Réessayez.')}
        </Notice>
      )}
      {opened === 'readdress' && (
        <ReaddressDialog revelationId={revelationId} delivery={delivery} onClose={close} />
      )}
      {opened === 'revoke' && (
        <RevokeDialog
          revelationId={revelationId}
          delivery={delivery}
          onClose={close}
          returnTo={returnTo}
        />
      )}
    </div>
  )
}
