import type { readEmailLink } from '#contract/account.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { User } from '#contract/profiles.ts'
import { useRefuseEmailLink, useVerifyEmail } from '#web/features/account/verification.queries.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { Notice } from '#web/ui/notice.tsx'

interface AddressChoiceProps {
  link: EndpointOutput<typeof readEmailLink>
  token: string
  onConfirmed: (user: User) => void
  onRefused: () => void
  onExpired: () => void
}

/** Anybody may register with the address of somebody else: its owner sees for whom letters would open. */
export function AddressChoice({
  link,
  token,
  onConfirmed,
  onRefused,
  onExpired,
}: AddressChoiceProps) {
  const { pseudo, email } = link
  const verification = useVerifyEmail()
  const refusal = useRefuseEmailLink()
  const isBusy = verification.isPending || refusal.isPending
  const onError = (failure: Error) => {
    if (failure instanceof ApiError && failure.code === 'link_expired') onExpired()
  }
  const confirm = () => {
    refusal.reset()
    verification.mutate(token, { onSuccess: ({ user }) => onConfirmed(user), onError })
  }
  const refuse = () => {
    verification.reset()
    refusal.mutate(token, { onSuccess: onRefused, onError })
  }
  return (
    <>
      <p className="mb-5 rounded-field bg-sunken px-4 py-3 [overflow-wrap:anywhere]">
        Le compte <strong>@{pseudo}</strong> utilise l’adresse{' '}
        <strong>
          <EmailAddress>{email}</EmailAddress>
        </strong>
        . En confirmant, les révélations adressées à <EmailAddress>{email}</EmailAddress>{' '}
        s’ouvriront pour ce compte.
      </p>
      {verification.error && (
        <Notice tone="error" className="mb-5">
          {errorSentence(verification.error, 'Votre adresse n’a pas pu être confirmée')}
        </Notice>
      )}
      {refusal.error && (
        <Notice tone="error" className="mb-5">
          {errorSentence(refusal.error, 'Ce lien n’a pas pu être désactivé')}
        </Notice>
      )}
      <div className="flex flex-col gap-3">
        <Button
          large
          block
          busy={verification.isPending}
          busyLabel="Confirmation en cours"
          disabled={isBusy}
          onClick={confirm}
        >
          Confirmer mon adresse
        </Button>
        <Button
          variant="secondary"
          block
          busy={refusal.isPending}
          busyLabel="Désactivation du lien"
          disabled={isBusy}
          onClick={refuse}
        >
          Ce n’est pas mon compte
        </Button>
      </div>
    </>
  )
}
