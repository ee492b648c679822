import { useEffect } from 'react'
import { Navigate } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { showNotice } from '#web/ui/toasts.tsx'

/** In the page, an address that leads nowhere leads home. */
export function UnknownAddress() {
  useEffect(announceUnknownAddress, [])
  return <Navigate to={paths.home} replace />
}

/** The server led here from an address that it does not know, and nothing else in the page tells of that. */
export function useUnknownAddress(): void {
  useEffect(() => {
    const [visit] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const isLed = visit?.type === 'navigate' && visit.redirectCount > 0
    if (isLed && new URL(visit.name).pathname === paths.home) announceUnknownAddress()
  }, [])
}

function announceUnknownAddress(): void {
  // The messages may be mounted with this very page: they listen from the next moment on.
  queueMicrotask(() => showNotice('Cette adresse n’existe pas. Voici l’accueil.'))
}
