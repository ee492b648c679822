import { useState } from 'react'
import { Link, useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { NewPasswordForm } from '#web/features/auth/new-password-form.tsx'
import { requestHeadingFocus } from '#web/lib/heading-focus.ts'
import { readToken } from '#web/lib/session-token.ts'
import { useLinkToken } from '#web/lib/use-link-token.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { showToast } from '#web/ui/toasts.tsx'

export function NewPasswordPage() {
  const { token, forget } = useLinkToken()
  const navigate = useNavigate()
  const [spent, setSpent] = useState<string>()
  if (!token || token === spent) return <DeadLink isKnown={token !== undefined} />
  return (
    <AuthPage
      title="Nouveau mot de passe"
      intro="Le choisir déconnecte tous vos appareils et met fin à l’adresse à laquelle un agenda suit votre calendrier."
      aside={<WayBack />}
    >
      <NewPasswordForm
        token={token}
        onExpired={() => {
          requestHeadingFocus()
          forget()
          setSpent(token)
        }}
        onChanged={() => {
          forget()
          if (readToken()) showToast('success', 'Le mot de passe est changé.')
          navigate(paths.login, { replace: true, state: { hasNewPassword: true } })
        }}
      />
    </AuthPage>
  )
}

function DeadLink({ isKnown }: { isKnown: boolean }) {
  return (
    <AuthPage
      title={isKnown ? 'Ce lien n’est plus valable' : 'Il manque une partie du lien'}
      intro={
        isKnown
          ? 'Un lien sert une fois, pendant 30\u00A0minutes. Le dernier envoyé est le bon.'
          : 'Ouvrez-le depuis le mail que vous avez reçu, ou demandez-en un autre.'
      }
      aside={<WayBack />}
    >
      <ButtonLink to={paths.forgottenPassword} large block>
        Recevoir un nouveau lien
      </ButtonLink>
    </AuthPage>
  )
}

function WayBack() {
  return (
    <Link
      to={paths.login}
      className="inline-flex min-h-11 items-center font-semibold text-wax-ink underline underline-offset-4"
    >
      Retour à la connexion
    </Link>
  )
}
