import { Link, Navigate, useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import { LoginForm } from '#web/features/auth/login-form.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { useReturnPath } from '#web/features/auth/use-return-path.ts'
import { Notice } from '#web/ui/notice.tsx'

export function LoginPage() {
  const { user, hasExpired } = useSession()
  const returnPath = useReturnPath()
  const { state } = useLocation()
  const hasNewPassword = (state as { hasNewPassword?: boolean } | null)?.hasNewPassword
  if (user) return <Navigate to={returnPath} replace />
  return (
    <AuthPage
      title="Connexion"
      intro="Retrouvez ce que vous avez confié à la nuit."
      aside={
        <>
          Pas encore de compte&nbsp;?{' '}
          <Link
            to={paths.register}
            state={state}
            className="inline-flex min-h-11 items-center font-semibold text-wax-ink underline underline-offset-4"
          >
            Créer un compte
          </Link>
        </>
      }
    >
      {hasNewPassword ? (
        <Notice tone="success" className="mb-5">
          Votre mot de passe est changé. Connectez-vous avec le nouveau.
        </Notice>
      ) : (
        hasExpired && (
          <Notice tone="warning" className="mb-5">
            Votre session a expiré. Veuillez vous reconnecter.
          </Notice>
        )
      )}
      <LoginForm />
    </AuthPage>
  )
}
