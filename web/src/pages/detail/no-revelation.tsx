import { useLocation } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { forgetDeliveryKey } from '#web/lib/delivery-key.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'

/** The same page for a missing and for a hidden revelation. */
export function HiddenRevelation() {
  const { user } = useSession()
  const location = useLocation()
  return (
    <div className="container-page flex min-h-[70dvh] flex-col items-center justify-center gap-4 py-12 text-center">
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

/** The page of a revoked personal link. */
export function RevokedLink({ revelationId }: { revelationId: string }) {
  const { user } = useSession()
  const location = useLocation()
  return (
    <div className="container-page flex min-h-[70dvh] flex-col items-center justify-center gap-4 py-12 text-center">
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

interface KeyholeProps {
  /** Whether there is light behind it. */
  isLit?: boolean
}

/** A door in the night. */
function Keyhole({ isLit = true }: KeyholeProps) {
  return (
    <svg aria-hidden="true" viewBox="0 0 200 150" className="w-48">
      <rect width="200" height="150" rx="14" fill="#1b2250" />
      <g fill="#fff" fillOpacity="0.28">
        <circle cx="30" cy="26" r="1.3" />
        <circle cx="62" cy="52" r="1" />
        <circle cx="164" cy="22" r="1.5" />
        <circle cx="178" cy="66" r="1.1" />
        <circle cx="24" cy="92" r="1.1" />
      </g>
      <path d="M64 150V66a36 36 0 0 1 72 0v84z" fill="#141a3f" stroke="#323b78" strokeWidth="2" />
      <path
        d="M100 78a10 10 0 0 1 5.6 18.3L109 116H91l3.4-19.7A10 10 0 0 1 100 78z"
        fill={isLit ? '#f6c987' : '#0b1030'}
        stroke={isLit ? undefined : '#5662b0'}
        strokeWidth="1.5"
      />
    </svg>
  )
}
