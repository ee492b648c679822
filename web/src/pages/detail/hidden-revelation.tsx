import { useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Keyhole } from './keyhole.tsx'

/** The same words for what does not exist and for what may not be seen. */
export function HiddenRevelation() {
  const { user } = useSession()
  const location = useLocation()
  return (
    <div className="content flex min-h-[70dvh] flex-col items-center justify-center gap-4 py-12 text-center">
      <Keyhole />
      <PageHeading>Rien à cette adresse</PageHeading>
      <p className="max-w-md text-ink-soft">
        Cette révélation n’existe pas, n’existe plus, ou ne vous est pas ouverte. Si elle vous est
        destinée, suivez le lien du mail que vous avez reçu
        {user ? '.' : ', ou connectez-vous.'}
      </p>
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <ButtonLink to={paths.home}>Retour à l’accueil</ButtonLink>
        {!user && (
          <ButtonLink variant="secondary" to={paths.login} state={{ from: location }}>
            Se connecter
          </ButtonLink>
        )}
      </div>
    </div>
  )
}
