import { useRef } from 'react'
import { Navigate, Outlet, useLocation } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { Spinner } from '#web/ui/spinner.tsx'
import { paths } from './paths.ts'

/** The pages inside are for signed-in people; others sign in first and come back. Whoever leaves by themselves goes home. */
export function RequireSession() {
  const { user, isVerifying, hasExpired } = useSession()
  const location = useLocation()
  const wasSignedIn = useRef(false)
  if (user) {
    wasSignedIn.current = true
    return <Outlet />
  }
  if (wasSignedIn.current && !hasExpired) return <Navigate to={paths.home} replace />
  if (!isVerifying) return <Navigate to={paths.login} replace state={{ from: location }} />
  return (
    <div role="status" className="flex min-h-96 items-center justify-center gap-3 text-ink-soft">
      <Spinner />
      Vérification de l'authentification...
    </div>
  )
}
