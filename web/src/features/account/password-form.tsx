import { useEffect } from 'react'
import { type Resolver, useForm } from 'react-hook-form'
import { changePasswordInputSchema } from '#contract/auth.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
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
  useEffect(() => setFocus('currentPassword'), [setFocus])
  const { errors } = formState
  const { mutate: change, isPending, error } = useChangePassword()
  const isSaidByField = error !== null && fieldOf(error) !== undefined
  const save = handleSubmit(({ confirmation: _, ...input }) =>
    change(input, {
      onSuccess: onChanged,
      onError: (failure) => {
        const field = fieldOf(failure)
        if (field) setError(field.name, { message: field.message }, { shouldFocus: true })
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

/** One sentence at a time, in the order of the specification (§5). */
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

/** The field a refusal is about. */
function fieldOf(error: Error): Mistake | undefined {
  if (!(error instanceof ApiError)) return undefined
  if (error.code === 'wrong_password') return { name: 'currentPassword', message: error.message }
  const { currentPassword, newPassword } = error.fields
  if (currentPassword) return { name: 'currentPassword', message: currentPassword }
  if (newPassword) return { name: 'newPassword', message: newPassword }
  return undefined
}
