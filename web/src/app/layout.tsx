import { useQueryClient } from '@tanstack/react-query'
import { lazy, useEffect, useLayoutEffect } from 'react'
import { Outlet, useLocation, useMatches, useNavigation } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { restoreLostFocus } from '#web/lib/focus.ts'
import { useDebounced } from '#web/lib/hooks.ts'
import { paths } from '#web/lib/paths.ts'
import { watchPresses } from '#web/lib/press.ts'
import { readKnownUser } from '#web/lib/session-token.ts'
import { PageMetadata } from '#web/ui/page-heading.tsx'
import { Dispensable } from './error-boundary.tsx'
import { Footer } from './footer.tsx'
import { Header } from './header.tsx'
import { headOf } from './page-handle.ts'
import { useScrollRestoration } from './scroll-restoration.ts'

const MAIN_ID = 'contenu'
const SKELETON_DELAY_MS = 250

// A visitor does not wait for what only signed-in people need.
const loadReminder = () => import('#web/features/account/verification-reminder.tsx')
const VerificationReminder = lazy(async () => ({
  default: (await loadReminder()).VerificationReminder,
}))
// Asked for with the page, not after it: it takes a place in it.
if (readKnownUser()?.email_verified === false) void loadReminder().catch(() => undefined)
const LiveUpdates = lazy(async () => ({
  default: (await import('./live/live-updates.tsx')).LiveUpdates,
}))
const BottomBar = lazy(async () => ({
  default: (await import('./bottom-bar.tsx')).BottomBar,
}))
const PageSkeleton = lazy(async () => ({
  default: (await import('./page-skeleton.tsx')).PageSkeleton,
}))
const FirstOnboarding = lazy(async () => ({
  default: (await import('#web/features/onboarding/onboarding.tsx')).FirstOnboarding,
}))

export function Layout() {
  useScrollRestoration()
  useEffect(restoreLostFocus, [])
  useEffect(watchPresses, [])
  const { user } = useSession()
  const { pathname } = useLocation()
  useBottomBarMark(user !== null)
  const reminder = (
    <Dispensable>
      {user && !user.email_verified && <VerificationReminder key={user.id} />}
    </Dispensable>
  )
  return (
    <div className="flex min-h-dvh flex-col pb-(--bottom-bar)">
      <CurrentPageMetadata />
      <a
        href={`#${MAIN_ID}`}
        className="-translate-y-24 fixed top-2 left-2 z-50 inline-flex min-h-11 items-center rounded-field bg-surface px-4 font-semibold text-ink shadow-soft focus:translate-y-0"
      >
        Aller au contenu
      </a>
      <Header />
      {pathname !== paths.home && reminder}
      <main id={MAIN_ID} tabIndex={-1} className="flex-1">
        <TurningPage />
        {/* At home it comes after what is one's own. */}
        <Outlet context={pathname === paths.home ? reminder : null} />
      </main>
      <Footer />
      <Dispensable>{user && <BottomBar />}</Dispensable>
      <Dispensable>{user && <LiveUpdates key={user.id} />}</Dispensable>
      <Dispensable>{user && <FirstOnboarding key={user.id} user={user} />}</Dispensable>
    </div>
  )
}

/** Reserves the place of the bar before its code has come: see `--bottom-bar` in `main.css`. */
function useBottomBarMark(hasBar: boolean): void {
  useLayoutEffect(() => {
    const { classList } = document.documentElement
    classList.toggle('has-bottom-bar', hasBar)
    return () => classList.remove('has-bottom-bar')
  }, [hasBar])
}

/** What the page at the current address says of itself, by its entry in the table of routes. Its heading gives the title. */
function CurrentPageMetadata() {
  const client = useQueryClient()
  return <PageMetadata {...headOf(useMatches().at(-1), client)} />
}

/** While the code of the next page is on its way: a line at the top, and where that takes a while the shape of the page. */
function TurningPage() {
  const { location: next } = useNavigation()
  const { pathname } = useLocation()
  const wanted = next && next.pathname !== pathname ? next.pathname : ''
  const isLate = useDebounced(wanted, SKELETON_DELAY_MS) !== ''
  if (!wanted) return null
  return (
    <>
      <div role="status" className="fade-in-delayed fixed inset-x-0 top-0 z-50">
        <div className="h-1 animate-pulse bg-wax" />
        <span className="sr-only">Chargement de la page</span>
      </div>
      <Dispensable>
        <PageSkeleton pathname={wanted} isShown={isLate} />
      </Dispensable>
    </>
  )
}
