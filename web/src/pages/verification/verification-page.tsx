import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { User } from '#contract/profiles.ts'
import { emailLinkQuery } from '#web/features/account/verification.queries.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { LinkSkeleton } from '#web/features/auth/link-skeleton.tsx'
import { WayHome } from '#web/features/auth/way-home.tsx'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { requestHeadingFocus } from '#web/lib/heading-focus.ts'
import { useLinkToken } from '#web/lib/use-link-token.ts'
import { LoadFailure } from '#web/ui/load-failure.tsx'
import { AddressChoice } from './address-choice.tsx'
import { Confirmed } from './confirmed.tsx'
import { DeadLink } from './dead-link.tsx'
import { Refused } from './refused.tsx'

/** Where the link of a mail leads. It proves nothing before a tap: mail programs open links by themselves. */
export function VerificationPage() {
  const { token, forget } = useLinkToken()
  if (!token) return <DeadLink isKnown={false} />
  return <WithLink key={token} token={token} onUsed={forget} />
}

interface WithLinkProps {
  token: string
  onUsed: () => void
}

type End = { confirmed: User } | 'refused' | 'expired'

function WithLink({ token, onUsed }: WithLinkProps) {
  const { data: link, error, isFetching, refetch } = useQuery(emailLinkQuery(token))
  const [end, setEnd] = useState<End>()
  const isExpired = end === 'expired' || (error instanceof ApiError && error.status === 400)
  // A link that is over must not come back with a reload, or once signed in.
  useEffect(() => {
    if (isExpired) onUsed()
  }, [isExpired, onUsed])
  const finish = (how: End) => {
    requestHeadingFocus()
    setEnd(how)
    onUsed()
  }
  if (typeof end === 'object') return <Confirmed user={end.confirmed} />
  if (end === 'refused' && link) return <Refused link={link} />
  if (isExpired) return <DeadLink isKnown />
  return (
    <AuthPage
      title="Confirmer votre adresse"
      intro="Un appui suffit, si ce compte est bien le vôtre."
      aside={<WayHome />}
    >
      {link ? (
        <AddressChoice
          link={link}
          token={token}
          onConfirmed={(user) => finish({ confirmed: user })}
          onRefused={() => finish('refused')}
          onExpired={() => finish('expired')}
        />
      ) : error ? (
        <LoadFailure isRetrying={isFetching} onRetry={refetch}>
          {errorSentence(error, 'Ce lien n’a pas pu être lu')}
        </LoadFailure>
      ) : (
        <LinkSkeleton />
      )}
    </AuthPage>
  )
}
