import { Link, Navigate, useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { RegisterForm } from '#web/features/auth/register-form.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { useReturnPath } from '#web/features/auth/use-return-path.ts'
import { Notice } from '#web/ui/notice.tsx'

export function RegisterPage() {
  const { user } = useSession()
  const returnPath = useReturnPath()
  const { state } = useLocation()
  if (user) return <Navigate to={returnPath} replace />
  return (
    <AuthPage
      title="Inscription"
      intro="Quelques mots, et votre première révélation peut attendre son jour."
      aside={
        <>
          Déjà un compte&nbsp;?{' '}
          <Link
            to={paths.login}
            state={state}
            className="inline-flex min-h-11 items-center font-semibold text-wax-ink underline underline-offset-4"
          >
            Se connecter
          </Link>
        </>
      }
    >
      {(state as { keepsLetter?: boolean } | null)?.keepsLetter && (
        <Notice className="mb-5">
          Inscrivez-vous avec l’adresse où vous avez reçu la lettre, puis vérifiez-la&nbsp;: la
          lettre restera à vous, même sans son lien.
        </Notice>
      )}
      <RegisterForm />
    </AuthPage>
  )
}
