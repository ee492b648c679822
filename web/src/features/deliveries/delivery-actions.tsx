import { AtSign, HandHeart, Link2Off, RotateCw } from 'lucide-react'
import { type FormEvent, lazy, Suspense, useId, useRef, useState } from 'react'
import { type Delivery, readdressDelivery } from '#contract/deliveries.ts'
import type { OwnRevelation } from '#contract/revelations.ts'
import { isRecipientQuotaError } from '#web/features/revelations/revelation-draft.ts'
import { isSameAddress } from '#web/lib/addresses.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { useReaddressDelivery, useResendDelivery, useRevokeDelivery } from './deliveries.queries.ts'

const HandOver = lazy(async () => ({ default: (await import('./hand-over.tsx')).HandOver }))

interface DeliveryActionsProps {
  revelation: OwnRevelation
  delivery: Delivery
  /** What gets the focus once the button is gone. */
  returnTo: () => HTMLElement | null
}

/** What the author may do about a delivery. */
export function DeliveryActions({ revelation, delivery, returnTo }: DeliveryActionsProps) {
  const revelationId = revelation.id
  const { id, address, can, state } = delivery
  const [opened, setOpened] = useState<'readdress' | 'hand' | 'revoke'>()
  const resend = useResendDelivery(revelationId, () => {
    showToast('success', `Le lien repart vers ${address}`)
  })
  const close = () => setOpened(undefined)
  // After a refusal, another attempt or another address may work.
  const isWrong = state === 'failed'
  // It left, and may have been read without a word: the page knows no more than this.
  const isSilent = state === 'sent' && can.readdress
  if (!can.resend && !can.readdress && !can.revoke && !can.hand) return null
  return (
    <div className="flex flex-col gap-3">
      {isSilent && (
        <p className="text-ink-soft text-sm">
          Rien ne dit encore qu’elle a été ouverte. Si vous pensez qu’elle s’est perdue,
          redonnez-la.
        </p>
      )}
      <div className="grid gap-2 xs:flex xs:flex-wrap">
        {can.readdress && (
          <Button
            variant={isWrong ? 'primary' : 'secondary'}
            aria-label={
              isSilent ? `Une autre adresse que ${address}` : `Changer l’adresse ${address}`
            }
            icon={<AtSign aria-hidden="true" className="size-4.5" />}
            onClick={() => setOpened('readdress')}
          >
            {isSilent ? 'Une autre adresse' : 'Changer l’adresse'}
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
        {can.hand && (
          <Button
            variant="secondary"
            aria-label={`Remettre en mains propres, au lieu de ${address}`}
            icon={<HandHeart aria-hidden="true" className="size-4.5" />}
            onClick={() => setOpened('hand')}
          >
            Remettre en mains propres
          </Button>
        )}
        {can.revoke && (
          <Button
            variant="ghost"
            aria-label={`Désactiver le lien de ${address}`}
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
      {opened === 'hand' && (
        <Suspense>
          <HandOver revelation={revelation} delivery={delivery} onClose={close} />
        </Suspense>
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

interface ReaddressDialogProps {
  revelationId: string
  delivery: Delivery
  onClose: () => void
}

/** Another address in the place of one where nothing says that it was read. */
function ReaddressDialog({ revelationId, delivery, onClose }: ReaddressDialogProps) {
  const formId = useId()
  const [address, setAddress] = useState('')
  // Another address may be another person's: the name of the former one is not theirs.
  const [name, setName] = useState('')
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
  const ofName = error instanceof ApiError ? error.fields.name : undefined
  const isSent = delivery.sent_at !== null
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const message = validateAddress(address, delivery.address)
    setRefusal(message)
    if (message) return
    readdress({ id: delivery.id, address: address.trim(), name: name.trim() })
  }
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={isSent ? 'Une autre adresse' : 'Changer l’adresse'}
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
          {isSent ? 'Le lien déjà envoyé à ' : 'La lettre ne partira plus vers '}
          <strong className="text-ink">{delivery.address}</strong>
          {isSent && ' n’ouvrira plus rien'}&#8239;:{' '}
          {isSent ? 'la lettre part vers la nouvelle adresse' : 'elle ira à cette adresse'}, par un
          lien à elle.
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
        <TextField
          label="Son prénom"
          optional
          hint={delivery.name ? `Jusqu’ici\u202F: ${delivery.name}.` : undefined}
          autoComplete="off"
          value={name}
          error={ofName}
          onChange={(event) => {
            setName(event.target.value)
            if (ofName) reset()
          }}
        />
        {error && !ofField && !ofName && (
          <Notice tone="error">
            {errorSentence(error, 'L’adresse n’a pas pu être changée. Réessayez.')}
          </Notice>
        )}
      </form>
    </Dialog>
  )
}

function validateAddress(address: string, former: string): string | undefined {
  const checked = readdressDelivery.schema.body.safeParse({ address })
  if (!checked.success) return checked.error.issues[0]?.message
  return isSameAddress(address, former) ? 'La lettre part déjà vers cette adresse' : undefined
}

/** What the server says of the address itself. */
function fieldSentence(error: Error | null): string | undefined {
  if (isRecipientQuotaError(error)) return error.message
  return error instanceof ApiError ? error.fields.address : undefined
}

interface RevokeDialogProps {
  revelationId: string
  delivery: Delivery
  onClose: () => void
  /** Where the focus goes once the button that asked is gone. */
  returnTo: () => HTMLElement | null
}

function RevokeDialog({ revelationId, delivery, onClose, returnTo }: RevokeDialogProps) {
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
      title={`Désactiver le lien de ${address}\u202F?`}
      description="Le lien personnel, envoyé ou remis en mains propres, n’ouvre plus rien, et dit à qui le suit que vous l’avez désactivé. Ce qui a déjà été lu ou téléchargé reste chez son lecteur, et une personne inscrite avec cette adresse vérifiée garde son accès. Vous pourrez renvoyer un nouveau lien."
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
