import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { Link, useLocation } from 'react-router'
import { type LoginInput, loginInputSchema } from '#contract/auth.ts'
import { paths } from '#web/app/paths.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useLogin } from './auth.queries.ts'

export function LoginForm() {
  const { register, handleSubmit, formState, watch } = useForm<LoginInput>({
    resolver: zodResolver(loginInputSchema),
    mode: 'onTouched',
    defaultValues: { email: '', password: '' },
  })
  const { state } = useLocation()
  const { mutate: logIn, isPending, error } = useLogin()
  return (
    <form
      // What it sends never belongs into an address, whoever sends it.
      method="post"
      noValidate
      className="flex flex-col gap-5"
      onSubmit={handleSubmit((input) => logIn(input))}
    >
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
        error={formState.errors.email?.message}
        {...register('email')}
      />
      <div>
        <PasswordField
          label="Mot de passe"
          autoComplete="current-password"
          error={formState.errors.password?.message}
          {...register('password')}
        />
        <Link
          to={paths.forgottenPassword}
          state={{ ...state, email: watch('email') }}
          className="-mb-2 ml-auto flex min-h-11 w-fit items-center text-ink-soft text-sm underline underline-offset-4 hover:text-ink"
        >
          Mot de passe oublié&nbsp;?
        </Link>
      </div>
      {error && <Notice tone="error">{errorSentence(error, 'Erreur de connexion')}</Notice>}
      <Button type="submit" large block busy={isPending} busyLabel="Connexion en cours">
        Se connecter
      </Button>
    </form>
  )
}
