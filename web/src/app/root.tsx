import { useRef } from 'react'
import { Navigate, Outlet, useLocation, useMatches } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { useLegacyEventsOwner } from '#web/features/calendar/legacy-events-owner.ts'
import { paths } from '#web/lib/paths.ts'
import { Spinner } from '#web/ui/loading.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { useCheckOffline, useClearDeviceData } from './device-data.ts'
import { Layout } from './layout.tsx'
import { useUnknownAddress } from './unknown-address.tsx'

/** The id of the route around the pages for signed-in people. */
export const PERSONAL_PAGES_ID = 'personal-pages'

const VERIFYING = "Vérification de l'authentification..."

/** Around every page, as soon as it is known whether somebody is signed in. */
export function Root() {
  const { isInitialised } = useSession()
  return isInitialised ? <InitialisedRoot /> : <Initialising />
}

function InitialisedRoot() {
  useClearDeviceData()
  useCheckOffline()
  useLegacyEventsOwner()
  useUnknownAddress()
  return <Layout />
}

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
      {VERIFYING}
    </div>
  )
}

/** The whole screen while something must be known before anything can be shown: as `.is-known` has it before any code. */
export function Initialising() {
  const requiresSession = useMatches().some(({ id }) => id === PERSONAL_PAGES_ID)
  return (
    <div
      role="status"
      className="first-ground flex min-h-dvh flex-col items-center justify-center gap-5"
    >
      <WaxSeal initial="R" className="fade-in-delayed size-20" />
      <div className="fade-in-delayed text-center">
        <p>Initialisation...</p>
        {requiresSession && <p className="mt-1">{VERIFYING}</p>}
      </div>
    </div>
  )
}
