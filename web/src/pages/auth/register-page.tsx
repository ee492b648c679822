import { Link, useLocation } from 'react-router'
import * as z from 'zod/mini'
import { registerInputSchema } from '#contract/auth.ts'
import { useRegister } from '#web/features/auth/auth.queries.ts'
import { useDoorState, WayOn } from '#web/features/auth/auth-links.tsx'
import { AuthPage, TemporarySessionNotice } from '#web/features/auth/auth-page.tsx'
import {
  confirmationSchema,
  matchesConfirmation,
  NewPasswordFields,
} from '#web/features/auth/new-password-fields.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import { useApiForm } from '#web/lib/forms.ts'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'

export function RegisterPage() {
  const { user } = useSession()
  const { state } = useLocation()
  const doorState = useDoorState()
  if (user) return <WayOn />
  return (
    <AuthPage
      title="Inscription"
      intro="Quelques mots, et votre première révélation peut attendre son jour."
      aside={
        <>
          Déjà un compte&#8239;?{' '}
          <Link
            to={paths.login}
            state={doorState}
            className="inline-flex min-h-11 items-center font-semibold text-wax-ink underline underline-offset-4"
          >
            Se connecter
          </Link>
        </>
      }
    >
      {(state as { hasLetter?: boolean } | null)?.hasLetter && (
        <Notice className="mb-5">
          Une fois inscrit, vous pourrez joindre la lettre à votre compte. Choisissez de préférence
          l’adresse où vous l’avez reçue, puis vérifiez-la&#8239;: la lettre restera à vous, même
          sans son lien.
        </Notice>
      )}
      <TemporarySessionNotice />
      <RegisterForm />
    </AuthPage>
  )
}

const formSchema = z
  .extend(registerInputSchema, { confirmation: confirmationSchema })
  .check(matchesConfirmation)

function RegisterForm() {
  const { field, submit, isPending, error } = useApiForm({
    schema: formSchema,
    defaultValues: {
      pseudo: '',
      email: '',
      password: '',
      confirmation: '',
      age_confirmed: false,
    },
    mutation: useRegister(),
    inputOf: ({ confirmation: _, ...input }) => input,
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
        {...field('pseudo')}
      />
      <TextField
        label="E-mail"
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        {...field('email')}
      />
      <NewPasswordFields
        isFirst
        password={field('password')}
        confirmation={field('confirmation')}
      />
      <div>
        <Checkbox label="J’ai 15 ans ou plus" {...field('age_confirmed')} />
        <p className="mt-2 text-ink-soft text-sm">
          Ce que le site fait de ce que vous lui confiez, et ce qui y est interdit&#8239;: les{' '}
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
