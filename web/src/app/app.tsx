import type { QueryClient } from '@tanstack/react-query'
import { BrowserRouter } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Providers } from './providers.tsx'
import { Pages } from './router.tsx'
import { useSessionEnd } from './use-session-end.ts'
import { WaitingScreen } from './waiting-screen.tsx'

export function App({ queryClient }: { queryClient: QueryClient }) {
  return (
    <ErrorBoundary>
      <Providers queryClient={queryClient}>
        <BrowserRouter>
          <InitialisedPages />
        </BrowserRouter>
      </Providers>
    </ErrorBoundary>
  )
}

function InitialisedPages() {
  const { isInitialised } = useSession()
  // Listens from the start: the first call of all may be the one that is answered 401.
  useSessionEnd()
  return isInitialised ? <Pages /> : <WaitingScreen>Initialisation...</WaitingScreen>
}
