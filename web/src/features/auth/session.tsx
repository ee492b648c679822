import { useQuery } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useState,
} from 'react'
import type { User } from '#contract/profiles.ts'
import { markVisited } from '#web/lib/first-visit.ts'
import { onTokenChangedElsewhere } from '#web/lib/session-token.ts'
import { sessionQuery, useFollowSession, useForgetSession } from './auth.queries.ts'
import { storeKnownUser } from './known-user.ts'

const INITIALISATION_LIMIT_MS = 10_000

interface Session {
  user: User | null
  /** False while the stored token is first verified, for ten seconds at most. */
  isInitialised: boolean
  /** The session is being verified, maybe after the ten seconds. */
  isVerifying: boolean
  /** The server ended the session; the sign-in page shows it. */
  hasExpired: boolean
  /** Called when the server answers that there is no such session. */
  expire: () => void
}

const SessionContext = createContext<Session | undefined>(undefined)

export function SessionProvider({ children }: { children: ReactNode }) {
  const { data: user = null, isPending, isFetching } = useQuery(sessionQuery)
  const isVerifying = isPending && isFetching
  const isInitialised = useInitialised(!isVerifying)
  const forget = useForgetSession()
  const follow = useFollowSession()
  const [hasExpired, setExpired] = useState(false)
  if (user && hasExpired) setExpired(false)

  useEffect(() => {
    if (!user) return
    markVisited()
    storeKnownUser(user)
  }, [user])

  const expire = useCallback(() => {
    setExpired(true)
    forget()
  }, [forget])
  useEffect(() => onTokenChangedElsewhere(() => void follow()), [follow])

  const session = useMemo(
    () => ({ user, isInitialised, isVerifying, hasExpired, expire }),
    [user, isInitialised, isVerifying, hasExpired, expire],
  )
  return <SessionContext value={session}>{children}</SessionContext>
}

export function useSession(): Session {
  const session = useContext(SessionContext)
  if (!session) throw new Error('useSession is used outside of SessionProvider')
  return session
}

/** The signed-in user, on pages that require a session. */
export function useSignedInUser(): User {
  const { user } = useSession()
  if (!user) throw new Error('This page needs a signed-in user')
  return user
}

/** Once true, stays true: later verifications never hide the page again. */
function useInitialised(isReady: boolean): boolean {
  const [isDone, setDone] = useState(isReady)
  if (isReady && !isDone) setDone(true)
  useEffect(() => {
    if (isDone) return
    const timer = setTimeout(() => setDone(true), INITIALISATION_LIMIT_MS)
    return () => clearTimeout(timer)
  }, [isDone])
  return isDone
}
