import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import { type LoginInput, loginInputSchema } from '#contract/auth.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useLogin } from './auth.queries.ts'

export function LoginForm() {
  const { register, handleSubmit, formState } = useForm<LoginInput>({
    resolver: zodResolver(loginInputSchema),
    mode: 'onTouched',
    defaultValues: { email: '', password: '' },
  })
  const { mutate: logIn, isPending, error } = useLogin()
  return (
    <form
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
      <PasswordField
        label="Mot de passe"
        autoComplete="current-password"
        error={formState.errors.password?.message}
        {...register('password')}
      />
      {error && <Notice tone="error">{errorSentence(error, 'Erreur de connexion')}</Notice>}
      <Button type="submit" large block busy={isPending} busyLabel="Connexion en cours">
        Se connecter
      </Button>
    </form>
  )
}
