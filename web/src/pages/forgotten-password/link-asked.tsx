import { useEffect } from 'react'
import { useForgotPassword } from '#web/features/auth/password-reset.queries.ts'
import { errorSentence, isTooOften } from '#web/lib/api-client.ts'
import { usePause } from '#web/lib/use-pause.ts'
import { Button } from '#web/ui/button.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { Notice } from '#web/ui/notice.tsx'

const PAUSE_MS = 60_000

interface LinkAskedProps {
  email: string
  onOtherAddress: () => void
}

/** The same whether or not the address has an account. */
export function LinkAsked({ email, onOtherAddress }: LinkAskedProps) {
  const { mutate: ask, isPending, isSuccess, error } = useForgotPassword()
  const { secondsLeft, begin } = usePause(PAUSE_MS)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first pause begins once, with the page
  useEffect(begin, [])
  return (
    <div className="flex flex-col gap-4">
      <p className="rounded-field bg-sunken px-4 py-3 text-center font-semibold">
        <EmailAddress>{email}</EmailAddress>
      </p>
      <p className="text-ink-soft">
        Rien après quelques minutes&nbsp;? Regardez dans les indésirables, et vérifiez l’adresse.
      </p>
      {error && (
        <Notice tone="error">{errorSentence(error, 'Le lien n’a pas pu être demandé')}</Notice>
      )}
      {isSuccess && <Notice tone="success">C’est redemandé.</Notice>}
      <Button
        variant="secondary"
        block
        busy={isPending}
        disabled={secondsLeft > 0}
        onClick={() =>
          ask(email, {
            onSuccess: begin,
            onError: (failure) => isTooOften(failure) && begin(),
          })
        }
      >
        {secondsLeft > 0 ? `Renvoyer un lien dans ${secondsLeft}\u00A0s` : 'Renvoyer un lien'}
      </Button>
      <Button variant="ghost" block onClick={onOtherAddress}>
        Corriger l’adresse
      </Button>
    </div>
  )
}
