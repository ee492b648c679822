import { lazy, type ReactNode, Suspense } from 'react'
import { Outlet } from 'react-router'
import { VerificationReminder } from '#web/features/account/verification-reminder.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { CurrentPageMetadata } from './page-metadata.tsx'
import { PageTurning } from './page-turning.tsx'
import { usePageTurn } from './use-page-turn.ts'

const MAIN_ID = 'contenu'

// A visitor does not wait for what only signed-in people need.
const LiveUpdates = lazy(async () => ({
  default: (await import('./live/live-updates.tsx')).LiveUpdates,
}))
const FirstOnboarding = lazy(async () => ({
  default: (await import('#web/features/onboarding/onboarding.tsx')).FirstOnboarding,
}))

export function Layout() {
  usePageTurn()
  const { user } = useSession()
  return (
    <div className="flex min-h-dvh flex-col">
      <CurrentPageMetadata />
      <PageTurning />
      <a
        href={`#${MAIN_ID}`}
        className="-translate-y-24 fixed top-2 left-2 z-50 inline-flex min-h-11 items-center rounded-field bg-surface px-4 font-semibold text-ink shadow-soft focus:translate-y-0"
      >
        Aller au contenu
      </a>
      <Header />
      <Dispensable>
        {user && !user.email_verified && <VerificationReminder key={user.id} />}
      </Dispensable>
      <main id={MAIN_ID} tabIndex={-1} className="flex-1">
        <Outlet />
      </main>
      <Footer />
      <Dispensable>{user && <LiveUpdates key={user.id} />}</Dispensable>
      <Dispensable>{user && <FirstOnboarding key={user.id} user={user} />}</Dispensable>
    </div>
  )
}

/** What comes besides the page: where its code cannot be had, the page goes on without it. */
function Dispensable({ children }: { children: ReactNode }) {
  return (
    <ErrorBoundary fallback={null}>
      <Suspense>{children}</Suspense>
    </ErrorBoundary>
  )
}
