import { lazy, Suspense } from 'react'
import { Outlet, useLocation } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { usePageTurn } from './use-page-turn.ts'

const MAIN_ID = 'contenu'

// A visitor does not wait for what only signed-in people need.
const LiveUpdates = lazy(async () => ({
  default: (await import('./live/live-updates.tsx')).LiveUpdates,
}))

const VerificationReminder = lazy(async () => ({
  default: (await import('#web/features/account/verification-reminder.tsx')).VerificationReminder,
}))

export function Layout() {
  const { pathname } = useLocation()
  usePageTurn()
  const { user } = useSession()
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href={`#${MAIN_ID}`}
        className="-translate-y-24 fixed top-2 left-2 z-50 inline-flex min-h-11 items-center rounded-field bg-surface px-4 font-semibold text-ink shadow-soft focus:translate-y-0"
      >
        Aller au contenu
      </a>
      <Header />
      <Suspense>
        {user && !user.email_verified && <VerificationReminder key={user.id} user={user} />}
      </Suspense>
      <main id={MAIN_ID} tabIndex={-1} className="flex-1">
        <ErrorBoundary resetKey={pathname}>
          <Suspense fallback={<ArrivingPage />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Footer />
      <Suspense>{user && <LiveUpdates key={user.id} />}</Suspense>
    </div>
  )
}

/** Keeps the place of a page whose code is on its way, so that the footer does not jump. */
function ArrivingPage() {
  return (
    <div role="status" className="min-h-dvh">
      <span className="sr-only">Chargement de la page</span>
    </div>
  )
}
