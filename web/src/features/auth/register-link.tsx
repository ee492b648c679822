import type { ReactNode } from 'react'
import { useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'

interface RegisterLinkProps {
  /** Somebody came by the link of a letter: the form says how it stays theirs. */
  keepsLetter?: boolean
  className?: string
  children: ReactNode
}

/** To the registration page and back here. */
export function RegisterLink({ keepsLetter = false, className, children }: RegisterLinkProps) {
  const location = useLocation()
  return (
    <ButtonLink
      variant="secondary"
      to={paths.register}
      state={{ from: location, keepsLetter }}
      className={className}
    >
      {children}
    </ButtonLink>
  )
}
