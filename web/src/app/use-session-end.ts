import { useEffect } from 'react'
import type { createBrowserRouter } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { onUnauthorized } from '#web/lib/api-client.ts'
import { paths } from './paths.ts'

const DOORS: string[] = [paths.login, paths.register]

/** A 401 anywhere leads to the sign-in page, and from there back to where one was. */
export function useSessionEnd(router: ReturnType<typeof createBrowserRouter>): void {
  const { expire } = useSession()
  useEffect(
    () =>
      onUnauthorized(() => {
        expire()
        const { location, navigation } = router.state
        const from = navigation.location ?? location
        if (DOORS.includes(from.pathname)) return
        void router.navigate(paths.login, { replace: true, state: { from } })
      }),
    [expire, router],
  )
}
