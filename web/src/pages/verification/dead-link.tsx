import { useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { ResendButton } from '#web/features/account/resend-button.tsx'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { WayHome } from '#web/features/auth/way-home.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Confirmed } from './confirmed.tsx'

interface DeadLinkProps {
  /** A link was there, but used already or too old. */
  isKnown: boolean
}

export function DeadLink({ isKnown }: DeadLinkProps) {
  const { user } = useSession()
  // The page again after its success: the link is gone from it.
  if (!isKnown && user?.email_verified) return <Confirmed user={user} />
  return (
    <AuthPage
      title={isKnown ? 'Ce lien n’est plus valable' : 'Il manque une partie du lien'}
      intro={
        isKnown
          ? 'Un lien sert une fois, pendant 24\u00A0heures. Le dernier envoyé est le bon.'
          : 'Ouvrez-le depuis le mail que vous avez reçu, ou demandez-en un autre.'
      }
      aside={<WayHome />}
    >
      <WayOn />
    </AuthPage>
  )
}

function WayOn() {
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
