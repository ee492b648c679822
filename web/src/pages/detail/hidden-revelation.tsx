import { useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'

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

/** A door in the night, with light behind its keyhole. */
function Keyhole() {
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
        fill="#f6c987"
      />
    </svg>
  )
}
