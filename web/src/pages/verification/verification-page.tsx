import { useState } from 'react'
import type { User } from '#contract/profiles.ts'
import { useVerifyEmail } from '#web/features/account/verification.queries.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { requestHeadingFocus } from '#web/lib/heading-focus.ts'
import { useLinkToken } from '#web/lib/use-link-token.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Confirmed } from './confirmed.tsx'
import { DeadLink } from './dead-link.tsx'
import { WayHome } from './way-home.tsx'

/** Where the link of a mail leads. It proves nothing before a tap: mail programs open links by themselves. */
export function VerificationPage() {
  const { token, forget } = useLinkToken()
  const { mutate: verify, isPending, error } = useVerifyEmail()
  const [confirmed, setConfirmed] = useState<{ token: string; user: User }>()
  const [spent, setSpent] = useState<string>()
  if (confirmed && confirmed.token === token) return <Confirmed user={confirmed.user} />
  if (!token || token === spent) return <DeadLink isKnown={token !== undefined} />
  const confirm = () =>
    verify(token, {
      onSuccess: ({ user }) => {
        requestHeadingFocus()
        setConfirmed({ token, user })
        forget()
      },
      onError: (failure) => {
        if (!(failure instanceof ApiError) || failure.code !== 'link_expired') return
        requestHeadingFocus()
        setSpent(token)
      },
    })
  return (
    <AuthPage
      title="Confirmer votre adresse"
      intro="Un appui suffit. Les lettres qui vous sont adressées s’ouvriront pour vous."
      aside={<WayHome />}
    >
      {error && (
        <Notice tone="error" className="mb-5">
          {errorSentence(error, 'Votre adresse n’a pas pu être confirmée')}
        </Notice>
      )}
      <Button large block busy={isPending} busyLabel="Confirmation en cours" onClick={confirm}>
        Confirmer mon adresse
      </Button>
    </AuthPage>
  )
}
