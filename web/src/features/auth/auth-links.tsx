import type { ReactNode } from 'react'
import { type Location, Navigate, useLocation } from 'react-router'
import { useDeviceLetters } from '#web/lib/delivery-key.ts'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'

/** Leads to the sign-in page and back here. */
export function SignInLink({ className, onClick }: { className?: string; onClick?: () => void }) {
  const location = useLocation()
  return (
    <ButtonLink
      variant="secondary"
      to={paths.login}
      state={{ from: location }}
      onClick={onClick}
      className={className}
    >
      Se connecter
    </ButtonLink>
  )
}

interface RegisterLinkProps {
  /** The person came by the personal link of a letter: the form explains how it stays theirs. */
  hasLetter?: boolean
  className?: string
  children: ReactNode
}

/** Leads to the registration page and back here. */
export function RegisterLink({ hasLetter = false, className, children }: RegisterLinkProps) {
  const location = useLocation()
  return (
    <ButtonLink
      variant="secondary"
      to={paths.register}
      state={{ from: location, hasLetter }}
      className={className}
    >
      {children}
    </ButtonLink>
  )
}

interface DoorState {
  /** The page that one was on the way to, with what its link said beside the address. */
  from?: Partial<Location>
}

const DOORS: string[] = [paths.login, paths.register, paths.forgottenPassword]

/**
 * What goes along from one page for signing in or up to the next: the way on. It stands in the state of the history, or in
 * the address where one came by a link before there was any code.
 */
export function useDoorState(): DoorState {
  const { pathname, search, state } = useLocation()
  if (!DOORS.includes(pathname)) return {}
  const known: DoorState = state ?? {}
  const isToWrite = pathname + search === paths.registerToWrite
  return isToWrite && !known.from ? { ...known, from: { pathname: paths.create } } : known
}

/** Once signed in: to the page that required it, where the letters of this device are offered, or to the home page. */
export function WayOn() {
  const { from } = useDoorState()
  const hasDeviceLetters = useDeviceLetters().length > 0
  const elsewhere = hasDeviceLetters ? paths.received : paths.home
  return <Navigate to={from ?? elsewhere} state={from?.state} replace />
}
