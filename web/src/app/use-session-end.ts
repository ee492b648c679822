import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { onUnauthorized } from '#web/lib/api-client.ts'
import { paths } from './paths.ts'

/** A 401 anywhere leads to the sign-in page, and from there back to where one was. */
export function useSessionEnd(): void {
  const { expire } = useSession()
  const navigate = useNavigate()
  const location = useLocation()
  const here = useRef(location)
  useEffect(() => {
    here.current = location
  }, [location])
  useEffect(
    () =>
      onUnauthorized(() => {
        expire()
        const isAlreadyThere = [paths.login, paths.register].some(
          (path) => path === here.current.pathname,
        )
        if (!isAlreadyThere) navigate(paths.login, { replace: true, state: { from: here.current } })
      }),
    [expire, navigate],
  )
}
