import type { ComponentProps } from 'react'
import { errorSentence, isTooOften } from '#web/lib/api-client.ts'
import { useCooldown } from '#web/lib/hooks.ts'
import { Button } from '#web/ui/button.tsx'
import { useSendVerification } from './verification.queries.ts'

const PAUSE_MS = 60_000

interface ResendButtonProps
  extends Pick<ComponentProps<typeof Button>, 'variant' | 'large' | 'block'> {
  children?: string
}

/** Sends another link to the address of the account, once a minute. */
export function ResendButton({ children = 'Renvoyer le lien', ...rest }: ResendButtonProps) {
  const { mutate: send, isPending, isSuccess, error } = useSendVerification()
  const { secondsLeft, begin } = useCooldown(PAUSE_MS)
  return (
    <div>
      <Button
        variant="secondary"
        {...rest}
        busy={isPending}
        busyLabel="Envoi en cours"
        disabled={secondsLeft > 0}
        onClick={() =>
          send(undefined, {
            onSuccess: begin,
            onError: (failure) => isTooOften(failure) && begin(),
          })
        }
      >
        {secondsLeft > 0 ? `Renvoyer dans ${secondsLeft}\u00A0s` : children}
      </Button>
      <p role="status" className="mt-2 text-leaf-ink text-sm empty:hidden">
        {isSuccess && 'Le lien vient de partir. Il vaut 24\u00A0heures.'}
      </p>
      <p role="alert" className="mt-2 text-sm text-error-ink empty:hidden">
        {error && errorSentence(error, 'Le lien n’a pas pu être envoyé')}
      </p>
    </div>
  )
}
