import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { SessionProvider } from '#web/features/auth/session.tsx'
import { Toasts } from '#web/ui/toasts.tsx'
import { WaxSealParts } from '#web/ui/wax-seal.tsx'
import { ErrorBoundary } from './error-boundary.tsx'

interface AppProps {
  queryClient: QueryClient
  /** The router: the server's or the browser's. */
  children: ReactNode
  /** Called once React has the page. */
  onShown?: () => void
}

export function App({ queryClient, children, onShown }: AppProps) {
  useEffect(() => onShown?.(), [onShown])
  return (
    <>
      <WaxSealParts />
      <ErrorBoundary>
        <Providers queryClient={queryClient}>{children}</Providers>
      </ErrorBoundary>
    </>
  )
}

interface ProvidersProps {
  queryClient: QueryClient
  children: ReactNode
}

export function Providers({ queryClient, children }: ProvidersProps) {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        {children}
        <Toasts />
      </SessionProvider>
    </QueryClientProvider>
  )
}
