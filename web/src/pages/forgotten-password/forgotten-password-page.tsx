import { useState } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { ForgottenPasswordForm } from '#web/features/auth/forgotten-password-form.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { requestHeadingFocus } from '#web/lib/heading-focus.ts'
import { LinkAsked } from './link-asked.tsx'

export function ForgottenPasswordPage() {
  const { user } = useSession()
  const { state } = useLocation()
  const [email, setEmail] = useState(
    (state as { email?: string } | null)?.email ?? user?.email ?? '',
  )
  const [isAsked, setAsked] = useState(false)
  const turn = (next: boolean) => {
    requestHeadingFocus()
    setAsked(next)
  }
  return (
    <AuthPage
      key={String(isAsked)}
      title={isAsked ? 'Regardez votre boîte mail' : 'Mot de passe oublié'}
      intro={
        isAsked
          ? 'Si un compte existe à cette adresse, un lien vient de partir. Il vaut 30\u00A0minutes. Après trois mails en un jour, rien d’autre ne part\u00A0: le dernier lien vaut alors 24\u00A0heures.'
          : 'Donnez l’adresse de votre compte : un lien pour choisir un autre mot de passe y sera envoyé.'
      }
      aside={
        <Link
          to={user ? paths.home : paths.login}
          state={user ? null : state}
          className="inline-flex min-h-11 items-center font-semibold text-wax-ink underline underline-offset-4"
        >
          {user ? 'Retour à l’accueil' : 'Retour à la connexion'}
        </Link>
      }
    >
      {isAsked ? (
        <LinkAsked email={email} onOtherAddress={() => turn(false)} />
      ) : (
        <ForgottenPasswordForm
          email={email}
          onAsked={(asked) => {
            setEmail(asked)
            turn(true)
          }}
        />
      )}
    </AuthPage>
  )
}
