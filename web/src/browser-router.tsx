import type { QueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { createBrowserRouter, RouterContextProvider } from 'react-router'
import { RouterProvider } from 'react-router/dom'
import { notFoundContext, queryClientContext } from './app/page-handle.ts'
import type { NotFound } from './app/page-state.ts'
import { useSession } from './features/auth/session.tsx'
import { onUnauthorized } from './lib/api-client.ts'
import { paths } from './lib/paths.ts'
import { routes } from './routes.tsx'

export type BrowserRouter = ReturnType<typeof createBrowserRouter>

/** @param notFound What the page at this address looked for in vain, when the server rendered it. */
export function createRouter(
  queryClient: QueryClient,
  notFound: NotFound | null = null,
): BrowserRouter {
  let firstNotFound = notFound
  return createBrowserRouter(routes, {
    getContext: () => {
      const context = new RouterContextProvider()
      context.set(queryClientContext, queryClient)
      context.set(notFoundContext, firstNotFound)
      firstNotFound = null
      return context
    },
  })
}

/** Resolves once the code of the page at this address is there. */
export function isReady(router: BrowserRouter): Promise<void> {
  if (router.state.initialized) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return
      stop()
      resolve()
    })
  })
}

/** The page at the address. It turns at once: what one does next must find the address that one chose before. */
export function BrowserPages({ router }: { router: BrowserRouter }) {
  // Listens from the start: the first call of all may be the one that is answered 401.
  useSessionEnd(router)
  return <RouterProvider router={router} useTransitions={false} />
}

const DOORS: string[] = [paths.login, paths.register]

/** A 401 anywhere leads to the sign-in page, and from there back to where one was. */
function useSessionEnd(router: BrowserRouter): void {
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
