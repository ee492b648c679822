import { useQuery } from '@tanstack/react-query'
import { BadgeCheck } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { readEmailLink } from '#contract/account.ts'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { User } from '#contract/profiles.ts'
import { ResendButton } from '#web/features/account/resend-button.tsx'
import {
  emailLinkQuery,
  useRefuseEmailLink,
  useVerifyEmail,
} from '#web/features/account/verification.queries.ts'
import { AuthPage, HomeLink, LinkSkeleton } from '#web/features/auth/auth-page.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { requestHeadingFocus } from '#web/lib/focus.ts'
import { useLinkToken } from '#web/lib/link-token.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { LoadFailure, Notice } from '#web/ui/notice.tsx'

/** The page of a mailed link. It verifies nothing before a tap: mail programs open links by themselves. */
export function VerificationPage() {
  const { token, forget } = useLinkToken()
  if (!token) return <InvalidLink isKnown={false} />
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
  // A used link must not come back with a reload, or after signing in.
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
  if (isExpired) return <InvalidLink isKnown />
  return (
    <AuthPage
      title="Confirmer votre adresse"
      intro="Un appui suffit, si ce compte est bien le vôtre."
      aside={<HomeLink />}
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

interface AddressChoiceProps {
  link: EndpointOutput<typeof readEmailLink>
  token: string
  onConfirmed: (user: User) => void
  onRefused: () => void
  onExpired: () => void
}

/** Anybody may register with the address of another person: its owner sees for which account letters would open. */
function AddressChoice({ link, token, onConfirmed, onRefused, onExpired }: AddressChoiceProps) {
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
        . En confirmant, les lettres adressées à <EmailAddress>{email}</EmailAddress> s’ouvriront
        pour ce compte.
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

/** `user` is the owner of the address, who may not be the one signed in here. */
function Confirmed({ user }: { user: User }) {
  const { user: viewer } = useSession()
  return (
    <AuthPage
      title="Adresse vérifiée"
      intro="Les lettres qui vous sont adressées s’ouvriront pour vous, à leur jour."
      aside={<HomeLink />}
    >
      <p className="flex items-start justify-center gap-2 rounded-field bg-sunken px-4 py-3 font-semibold">
        <BadgeCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf-ink" />
        <EmailAddress>{user.email}</EmailAddress>
      </p>
      {viewer?.id !== user.id && (
        <p className="mt-3 text-center text-ink-soft text-sm">
          C’est l’adresse du compte @{user.pseudo}.
        </p>
      )}
      <div className="mt-5">
        {viewer ? (
          <ButtonLink to={paths.create} large block>
            Écrire une lettre
          </ButtonLink>
        ) : (
          <ButtonLink to={paths.login} large block>
            Se connecter
          </ButtonLink>
        )}
      </div>
    </AuthPage>
  )
}

interface RefusedProps {
  link: EndpointOutput<typeof readEmailLink>
}

function Refused({ link: { pseudo, email } }: RefusedProps) {
  return (
    <AuthPage
      title="C’est noté"
      intro="Ce lien ne sert plus. Vous n’avez rien d’autre à faire."
      aside={<HomeLink />}
    >
      <p className="rounded-field bg-sunken px-4 py-3 [overflow-wrap:anywhere]">
        Sans votre confirmation, rien de ce qui est adressé à <EmailAddress>{email}</EmailAddress>{' '}
        ne s’ouvrira pour le compte <strong>@{pseudo}</strong>.
      </p>
    </AuthPage>
  )
}

interface InvalidLinkProps {
  /** The page had a link, but a used or expired one. */
  isKnown: boolean
}

function InvalidLink({ isKnown }: InvalidLinkProps) {
  const { user } = useSession()
  // After a reload of the successful page, the link is gone from its address.
  if (!isKnown && user?.email_verified) return <Confirmed user={user} />
  return (
    <AuthPage
      title={isKnown ? 'Ce lien n’est plus valable' : 'Il manque une partie du lien'}
      intro={
        isKnown
          ? 'Un lien sert une fois, pendant 24\u00A0heures. Le dernier envoyé est le bon.'
          : 'Ouvrez-le depuis l’e-mail que vous avez reçu, ou demandez-en un autre.'
      }
      aside={<HomeLink />}
    >
      <NextAction />
    </AuthPage>
  )
}

function NextAction() {
  const { user } = useSession()
  const location = useLocation()
  if (!user) {
    return (
      <ButtonLink to={paths.login} state={{ from: location }} large block>
        Se connecter pour en recevoir un autre
      </ButtonLink>
    )
  }
  if (!user.email_verified) {
    return (
      <ResendButton variant="primary" large block>
        Recevoir un nouveau lien
      </ResendButton>
    )
  }
  return (
    <>
      <Notice tone="success">
        Votre adresse <EmailAddress>{user.email}</EmailAddress> est déjà vérifiée.
      </Notice>
      <ButtonLink to={paths.ownSettings} variant="secondary" block className="mt-4">
        Changer d’adresse
      </ButtonLink>
    </>
  )
}
