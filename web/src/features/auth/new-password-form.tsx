import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { resetPasswordInputSchema } from '#contract/account.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { useResetPassword } from './password-reset.queries.ts'
import { confirmationSchema, isTypedTwice } from './typed-twice.ts'

const formSchema = z
  .extend(z.pick(resetPasswordInputSchema, { password: true }), {
    confirmation: confirmationSchema,
  })
  .check(isTypedTwice)

interface NewPasswordFormProps {
  token: string
  onChanged: () => void
  onExpired: () => void
}

export function NewPasswordForm({ token, onChanged, onExpired }: NewPasswordFormProps) {
  const { register, handleSubmit, formState, setError } = useForm<z.infer<typeof formSchema>>({
    resolver: zodResolver(formSchema),
    mode: 'onTouched',
    defaultValues: { password: '', confirmation: '' },
  })
  const { errors } = formState
  const { mutate: change, isPending, error } = useResetPassword()
  const refused = passwordFault(error)
  const save = handleSubmit(({ password }) =>
    change(
      { token, password },
      {
        onSuccess: onChanged,
        onError: (failure) => {
          if (failure instanceof ApiError && failure.code === 'link_expired') return onExpired()
          const message = passwordFault(failure)
          if (message) setError('password', { message }, { shouldFocus: true })
        },
      },
    ),
  )
  return (
    <form noValidate className="flex flex-col gap-5" onSubmit={save}>
      <PasswordField
        label="Nouveau mot de passe"
        hint="Au moins 8 caractères."
        autoComplete="new-password"
        error={errors.password?.message}
        {...register('password')}
      />
      <PasswordField
        label="Confirmer le nouveau mot de passe"
        autoComplete="new-password"
        error={errors.confirmation?.message}
        {...register('confirmation')}
      />
      {error && !refused && (
        <Notice tone="error">
          {errorSentence(error, 'Erreur lors du changement de mot de passe')}
        </Notice>
      )}
      <Button type="submit" large block busy={isPending} busyLabel="Changement en cours">
        Enregistrer le mot de passe
      </Button>
    </form>
  )
}

function passwordFault(error: Error | null): string | undefined {
  return error instanceof ApiError ? error.fields.password : undefined
}
