import { zodResolver } from '@hookform/resolvers/zod'
import { useLayoutEffect } from 'react'
import { useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { changeEmailInputSchema } from '#contract/account.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { fieldErrorsOf } from '#web/lib/field-errors.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useChangeEmail } from './account.queries.ts'

interface EmailFormProps {
  onAsked: (email: string) => void
  onCancel: () => void
}

type EmailFields = z.infer<typeof changeEmailInputSchema>

export function EmailForm({ onAsked, onCancel }: EmailFormProps) {
  const { register, handleSubmit, formState, setError, setFocus } = useForm<EmailFields>({
    resolver: zodResolver(changeEmailInputSchema),
    mode: 'onTouched',
    defaultValues: { email: '', password: '' },
  })
  // Before anything can be typed: the field takes no letter meant for another.
  useLayoutEffect(() => setFocus('email'), [setFocus])
  const { errors } = formState
  const { mutate: ask, isPending, error } = useChangeEmail()
  const save = handleSubmit((input) =>
    ask(input, {
      onSuccess: () => onAsked(input.email),
      onError: (failure) => {
        const refused = refusedIn(failure)
        if (refused) setError(refused[0], { message: refused[1] }, { shouldFocus: true })
      },
    }),
  )
  return (
    <form noValidate className="flex max-w-md flex-col gap-5" onSubmit={save}>
      <TextField
        label="Nouvelle adresse"
        hint="Un lien y sera envoyé : elle ne compte qu’une fois ce lien suivi. L’ancienne en est avertie."
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        error={errors.email?.message}
        {...register('email')}
      />
      <PasswordField
        label="Votre mot de passe"
        autoComplete="current-password"
        error={errors.password?.message}
        {...register('password')}
      />
      {error && !refusedIn(error) && (
        <Notice tone="error">{errorSentence(error, 'Erreur lors du changement d’adresse')}</Notice>
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row">
        <Button variant="secondary" onClick={onCancel}>
          Annuler
        </Button>
        <Button type="submit" busy={isPending} busyLabel="Envoi du lien">
          Envoyer le lien
        </Button>
      </div>
    </form>
  )
}

/** The field a refusal is about, and what it says of it. */
function refusedIn(error: Error) {
  const codes = { wrong_password: 'password', email_taken: 'email' } as const
  return fieldErrorsOf(error, ['email', 'password'], codes)[0]
}
