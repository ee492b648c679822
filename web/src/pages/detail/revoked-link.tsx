import { useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { forgetDeliveryKey } from '#web/lib/delivery-key.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { Keyhole } from './keyhole.tsx'

/** Whoever holds a disabled link is told so, and what they may do about it. */
export function RevokedLink({ revelationId }: { revelationId: string }) {
  const { user } = useSession()
  const location = useLocation()
  return (
    <div className="content flex min-h-[70dvh] flex-col items-center justify-center gap-4 py-12 text-center">
      <Keyhole isLit={false} />
      <PageHeading>Ce lien a été désactivé</PageHeading>
      <p className="max-w-md text-ink-soft">
        Ce lien personnel a été désactivé par l’auteur de la révélation. Demandez-lui de vous en
        envoyer un nouveau&nbsp;: le mail le plus récent est celui qui ouvre la lettre.
      </p>
      {!user && (
        <p className="max-w-md text-ink-soft">
          Si vous avez un compte à l’adresse où vous l’avez reçue, connectez-vous.
        </p>
      )}
      <div className="mt-2 flex flex-wrap justify-center gap-3">
        <ButtonLink to={paths.home}>Retour à l’accueil</ButtonLink>
        {!user && (
          <ButtonLink
            variant="secondary"
            to={paths.login}
            state={{ from: location }}
            onClick={() => forgetDeliveryKey(revelationId)}
          >
            Se connecter
          </ButtonLink>
        )}
      </div>
    </div>
  )
}
