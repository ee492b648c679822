import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect } from 'react'
import { BrowserRouter } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import { Providers } from './providers.tsx'
import { Pages } from './router.tsx'
import { useSessionEnd } from './use-session-end.ts'
import { WaitingScreen } from './waiting-screen.tsx'

interface AppProps {
  queryClient: QueryClient
  router?: ComponentType<{ children: ReactNode }>
  /** Once the first screen is in the hands of React. */
  onShown?: (() => void) | undefined
}

export function App({ queryClient, router: Router = BrowserRouter, onShown }: AppProps) {
  useEffect(() => onShown?.(), [onShown])
  return (
    <ErrorBoundary>
      <Providers queryClient={queryClient}>
        <Router>
          <InitialisedPages />
        </Router>
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
