import { useLayoutEffect } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { changePasswordInputSchema } from '#contract/auth.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { fieldErrorsOf } from '#web/lib/field-errors.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { useChangePassword } from './account.queries.ts'

interface PasswordFields {
  currentPassword: string
  newPassword: string
  confirmation: string
}

interface PasswordFormProps {
  email: string
  onChanged: () => void
  onCancel: () => void
}

export function PasswordForm({ email, onChanged, onCancel }: PasswordFormProps) {
  const { register, handleSubmit, formState, setError, setFocus } = useForm<PasswordFields>({
    resolver: firstMistake,
    defaultValues: { currentPassword: '', newPassword: '', confirmation: '' },
  })
  // Before anything can be typed: the field takes no letter meant for another.
  useLayoutEffect(() => setFocus('currentPassword'), [setFocus])
  const { errors } = formState
  const { mutate: change, isPending, error } = useChangePassword()
  const isSaidByField = refusedIn(error) !== undefined
  const save = handleSubmit(({ confirmation: _, ...input }) =>
    change(input, {
      onSuccess: onChanged,
      onError: (failure) => {
        const refused = refusedIn(failure)
        if (refused) setError(refused[0], { message: refused[1] }, { shouldFocus: true })
      },
    }),
  )
  return (
    <form noValidate className="flex max-w-md flex-col gap-5" onSubmit={save}>
      {/* For password managers: whose password this is. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Mot de passe actuel"
        autoComplete="current-password"
        error={errors.currentPassword?.message}
        {...register('currentPassword')}
      />
      <PasswordField
        label="Nouveau mot de passe"
        hint="Au moins 8 caractères."
        autoComplete="new-password"
        error={errors.newPassword?.message}
        {...register('newPassword')}
      />
      <PasswordField
        label="Confirmer le nouveau mot de passe"
        autoComplete="new-password"
        error={errors.confirmation?.message}
        {...register('confirmation')}
      />
      {error && !isSaidByField && (
        <Notice tone="error">
          {errorSentence(error, 'Erreur lors du changement de mot de passe')}
        </Notice>
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row">
        <Button variant="secondary" onClick={onCancel}>
          Annuler
        </Button>
        <Button type="submit" busy={isPending} busyLabel="Changement en cours">
          Enregistrer le mot de passe
        </Button>
      </div>
    </form>
  )
}

/** One sentence at a time, in the order of behaviour.md 9.4. */
const firstMistake: Resolver<PasswordFields> = (values) => {
  const mistake = mistakeIn(values)
  if (!mistake) return { values, errors: {} }
  const { name, message } = mistake
  return { values: {}, errors: { [name]: { type: 'invalid', message } } }
}

interface Mistake {
  name: keyof PasswordFields
  message: string
}

function mistakeIn({ confirmation, ...input }: PasswordFields): Mistake | undefined {
  const [issue] = changePasswordInputSchema.safeParse(input).error?.issues ?? []
  if (issue) return { name: issue.path[0] as keyof typeof input, message: issue.message }
  if (confirmation === input.newPassword) return undefined
  return {
    name: 'confirmation',
    message: 'La confirmation ne correspond pas au nouveau mot de passe',
  }
}

/** The field a refusal is about, and what it says of it. */
function refusedIn(error: Error | null) {
  const names = ['currentPassword', 'newPassword'] as const
  return fieldErrorsOf(error, names, { wrong_password: 'currentPassword' })[0]
}
