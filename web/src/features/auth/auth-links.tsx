import type { ReactNode } from 'react'
import { type Location, useLocation } from 'react-router'
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

/** Where to go once signed in: the page that required it, else the home page. */
export function useReturnPath(): string {
  const { state } = useLocation()
  const from = (state as { from?: Location } | null)?.from
  return from ? `${from.pathname}${from.search}${from.hash}` : paths.home
}
