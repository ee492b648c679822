import type { ReactNode } from 'react'
import { type Location, useLocation } from 'react-router'
import { useKeptLetters } from '#web/lib/delivery-key.ts'
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

/** Where to go once signed in: the page that required it, where the letters of this device are offered, or the home page. */
export function useReturnPath(): string {
  const { state } = useLocation()
  const isKeeping = useKeptLetters().length > 0
  const from = (state as { from?: Location } | null)?.from
  if (from) return `${from.pathname}${from.search}${from.hash}`
  return isKeeping ? paths.received : paths.home
}
