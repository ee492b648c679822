import { zodResolver } from '@hookform/resolvers/zod'
import { Link, Navigate, useLocation } from 'react-router'
import * as z from 'zod/mini'
import { registerInputSchema } from '#contract/auth.ts'
import { useRegister } from '#web/features/auth/auth.queries.ts'
import { useReturnPath } from '#web/features/auth/auth-links.tsx'
import { AuthPage } from '#web/features/auth/auth-page.tsx'
import {
  confirmationSchema,
  matchesConfirmation,
} from '#web/features/auth/password-confirmation.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { useApiForm } from '#web/features/auth/use-api-form.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'

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
      {(state as { hasLetter?: boolean } | null)?.hasLetter && (
        <Notice className="mb-5">
          Inscrivez-vous avec l’adresse où vous avez reçu la lettre, puis vérifiez-la&nbsp;: la
          lettre restera à vous, même sans son lien.
        </Notice>
      )}
      <RegisterForm />
    </AuthPage>
  )
}

const formSchema = z
  .extend(registerInputSchema, { confirmation: confirmationSchema })
  .check(matchesConfirmation)

function RegisterForm() {
  const { register, errors, submit, isPending, error } = useApiForm({
    form: {
      resolver: zodResolver(formSchema),
      mode: 'onTouched',
      defaultValues: {
        pseudo: '',
        email: '',
        password: '',
        confirmation: '',
        age_confirmed: false,
      },
    },
    mutation: useRegister(),
    inputOf: ({ confirmation: _, ...input }: z.infer<typeof formSchema>) => input,
    fields: ['pseudo', 'email', 'password', 'age_confirmed'],
    codes: { pseudo_taken: 'pseudo', email_taken: 'email' },
  })
  return (
    <form
      // Without JavaScript, a browser must not put the fields into an address.
      method="post"
      noValidate
      className="flex flex-col gap-5"
      onSubmit={submit}
    >
      <TextField
        label="Pseudo"
        hint="Le nom que les autres verront."
        autoComplete="nickname"
        autoCapitalize="none"
        spellCheck={false}
        error={errors.pseudo?.message}
        {...register('pseudo')}
      />
      <TextField
        label="Email"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        error={errors.email?.message}
        {...register('email')}
      />
      <PasswordField
        label="Mot de passe"
        hint="Au moins 8 caractères."
        autoComplete="new-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <PasswordField
        label="Confirmer le mot de passe"
        autoComplete="new-password"
        error={errors.confirmation?.message}
        {...register('confirmation')}
      />
      <div>
        <Checkbox
          label="J’ai 15 ans ou plus"
          error={errors.age_confirmed?.message}
          {...register('age_confirmed')}
        />
        <p className="mt-2 text-ink-soft text-sm">
          Ce que le site fait de ce que vous lui confiez, et ce qui y est interdit&nbsp;: les{' '}
          <Link to={paths.legal} className="text-wax-ink underline underline-offset-4">
            mentions légales
          </Link>
          .
        </p>
      </div>
      {error && (
        <Notice tone="error">{errorSentence(error, 'Erreur lors de la création du compte')}</Notice>
      )}
      <Button type="submit" large block busy={isPending} busyLabel="Création du compte">
        Créer mon compte
      </Button>
    </form>
  )
}
