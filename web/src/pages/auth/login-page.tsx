import { Link, useLocation } from 'react-router'
import { loginInputSchema } from '#contract/auth.ts'
import { useLogin } from '#web/features/auth/auth.queries.ts'
import { useDoorState, WayOn } from '#web/features/auth/auth-links.tsx'
import { AuthPage, TemporarySessionNotice } from '#web/features/auth/auth-page.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import { useApiForm } from '#web/lib/forms.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export function LoginPage() {
  const { user, hasExpired } = useSession()
  const { state } = useLocation()
  const doorState = useDoorState()
  const hasNewPassword = (state as { hasNewPassword?: boolean } | null)?.hasNewPassword
  if (user) return <WayOn />
  return (
    <AuthPage
      title="Connexion"
      intro="Retrouvez ce que vous avez confié à la nuit."
      aside={
        <>
          Pas encore de compte&#8239;?{' '}
          <Link
            to={paths.register}
            state={doorState}
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
      <TemporarySessionNotice />
      <LoginForm />
    </AuthPage>
  )
}

function LoginForm() {
  const { field, form, submit, isPending, error } = useApiForm({
    schema: loginInputSchema,
    defaultValues: { email: '', password: '' },
    mutation: useLogin(),
    inputOf: (input) => input,
  })
  const { state } = useLocation()
  return (
    <form
      // Without JavaScript, a browser must not put the fields into an address.
      method="post"
      noValidate
      className="flex flex-col gap-5"
      onSubmit={submit}
    >
      <TextField
        label="E-mail"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        {...field('email')}
      />
      <div>
        <PasswordField
          label="Mot de passe"
          autoComplete="current-password"
          {...field('password')}
        />
        <Link
          to={paths.forgottenPassword}
          state={{ ...state, email: form.watch('email') }}
          className="-mb-2 ml-auto flex min-h-11 w-fit items-center text-ink-soft text-sm underline underline-offset-4 hover:text-ink"
        >
          Mot de passe oublié&#8239;?
        </Link>
      </div>
      {error && <Notice tone="error">{errorSentence(error, 'Erreur de connexion')}</Notice>}
      <Button type="submit" large block busy={isPending} busyLabel="Connexion en cours">
        Se connecter
      </Button>
    </form>
  )
}
