import type { QueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { ErrorBoundary } from './error-boundary.tsx'
import { Providers } from './providers.tsx'

interface AppProps {
  queryClient: QueryClient
  /** The router: the server's or the browser's. */
  children: ReactNode
  /** Once the page is in the hands of React. */
  onShown?: () => void
}

export function App({ queryClient, children, onShown }: AppProps) {
  useEffect(() => onShown?.(), [onShown])
  return (
    <ErrorBoundary>
      <Providers queryClient={queryClient}>{children}</Providers>
    </ErrorBoundary>
  )
}
