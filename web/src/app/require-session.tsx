import { Navigate, Outlet, useLocation } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { paths } from './paths.ts'

/** The pages inside are for signed-in people; others sign in first and come back. */
export function RequireSession() {
  const { user, isVerifying } = useSession()
  const location = useLocation()
  if (user) return <Outlet />
  if (!isVerifying) return <Navigate to={paths.login} replace state={{ from: location }} />
  return (
    <div role="status" className="flex min-h-96 items-center justify-center gap-3 text-ink-soft">
      <Spinner />
      Vérification de l'authentification...
    </div>
  )
}
