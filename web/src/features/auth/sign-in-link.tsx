import { useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'

/** To the sign-in page and back here. */
export function SignInLink({ className }: { className?: string }) {
  const location = useLocation()
  return (
    <ButtonLink
      variant="secondary"
      to={paths.login}
      state={{ from: location }}
      className={className}
    >
      Se connecter
    </ButtonLink>
  )
}
