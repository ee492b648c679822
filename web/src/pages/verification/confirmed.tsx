import { BadgeCheck } from 'lucide-react'
import type { User } from '#contract/profiles.ts'
import { paths } from '#web/app/paths.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { WayHome } from '#web/features/auth/way-home.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'

/** `user` is whose address it is, not always who is signed in here. */
export function Confirmed({ user }: { user: User }) {
  const { user: me } = useSession()
  return (
    <AuthPage
      title="Adresse vérifiée"
      intro="Les lettres qui vous sont adressées s’ouvriront pour vous, à leur jour."
      aside={<WayHome />}
    >
      <p className="flex items-start justify-center gap-2 rounded-field bg-sunken px-4 py-3 font-semibold">
        <BadgeCheck aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-leaf-ink" />
        <EmailAddress>{user.email}</EmailAddress>
      </p>
      {me?.id !== user.id && (
        <p className="mt-3 text-center text-ink-soft text-sm">
          C’est l’adresse du compte @{user.pseudo}.
        </p>
      )}
      <div className="mt-5">
        {me ? (
          <ButtonLink to={paths.create} large block>
            Écrire une lettre
          </ButtonLink>
        ) : (
          <ButtonLink to={paths.login} large block>
            Se connecter
          </ButtonLink>
        )}
      </div>
    </AuthPage>
  )
}
