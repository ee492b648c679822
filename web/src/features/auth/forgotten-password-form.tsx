import { zodResolver } from '@hookform/resolvers/zod'
import { useForm } from 'react-hook-form'
import type * as z from 'zod/mini'
import { forgotPasswordInputSchema } from '#contract/account.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useForgotPassword } from './password-reset.queries.ts'

interface ForgottenPasswordFormProps {
  /** What was typed where one came from. */
  email: string
  onAsked: (email: string) => void
}

export function ForgottenPasswordForm({ email, onAsked }: ForgottenPasswordFormProps) {
  const { register, handleSubmit, formState } = useForm<z.infer<typeof forgotPasswordInputSchema>>({
    resolver: zodResolver(forgotPasswordInputSchema),
    mode: 'onTouched',
    defaultValues: { email },
  })
  const { mutate: ask, isPending, error } = useForgotPassword()
  return (
    <form
      // What it sends never belongs into an address, whoever sends it.
      method="post"
      noValidate
      className="flex flex-col gap-5"
      onSubmit={handleSubmit((input) =>
        ask(input.email, { onSuccess: () => onAsked(input.email) }),
      )}
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
      {error && (
        <Notice tone="error">{errorSentence(error, 'Le lien n’a pas pu être demandé')}</Notice>
      )}
      <Button type="submit" large block busy={isPending} busyLabel="Demande en cours">
        Recevoir un lien
      </Button>
    </form>
  )
}
