import { type FormEvent, useId, useState } from 'react'
import { type Delivery, readdressDelivery } from '#contract/deliveries.ts'
import { isOutOfRoom } from '#web/features/revelations/addressee-room.ts'
import { isSameAddress } from '#web/features/revelations/revelation-draft.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { useReaddressDelivery } from './deliveries.queries.ts'

interface ReaddressDialogProps {
  revelationId: string
  delivery: Delivery
  onClose: () => void
}

/** Another address in the place of one that nothing was delivered to yet. */
export function ReaddressDialog({ revelationId, delivery, onClose }: ReaddressDialogProps) {
  const formId = useId()
  const [address, setAddress] = useState('')
  const [refusal, setRefusal] = useState<string>()
  const {
    mutate: readdress,
    isPending,
    error,
    reset,
  } = useReaddressDelivery(revelationId, () => {
    onClose()
    showToast('success', 'Adresse changée')
  })
  const ofField = fieldSentence(error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const said = refuse(address, delivery.address)
    setRefusal(said)
    if (said) return
    readdress({ id: delivery.id, address: address.trim() })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title="Changer l’adresse"
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Annuler
          </Button>
          <Button type="submit" form={formId} busy={isPending} busyLabel="Enregistrement">
            Changer l’adresse
          </Button>
        </>
      }
    >
      <form id={formId} noValidate className="mt-1 flex flex-col gap-4" onSubmit={submit}>
        <p className="text-ink-soft [overflow-wrap:anywhere]">
          La lettre ne partira plus vers <strong className="text-ink">{delivery.address}</strong>
          &nbsp;: elle ira à cette adresse, par un lien à elle.
        </p>
        <TextField
          label="Nouvelle adresse"
          type="email"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          value={address}
          error={refusal ?? ofField}
          onChange={(event) => {
            setAddress(event.target.value)
            setRefusal(undefined)
            if (error) reset()
          }}
        />
        {error && !ofField && (
          <Notice tone="error">
            {errorSentence(error, 'L’adresse n’a pas pu être changée. Réessayez.')}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}

function refuse(address: string, former: string): string | undefined {
  const checked = readdressDelivery.schema.body.safeParse({ address })
  if (!checked.success) return checked.error.issues[0]?.message
  return isSameAddress(address, former) ? 'La lettre part déjà vers cette adresse' : undefined
}

/** What the server says of the address itself. */
function fieldSentence(error: Error | null): string | undefined {
  if (isOutOfRoom(error)) return error.message
  return error instanceof ApiError ? error.fields.address : undefined
}
