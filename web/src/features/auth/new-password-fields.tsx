import type { ComponentProps } from 'react'
import * as z from 'zod/mini'
import { PasswordField } from '#web/ui/password-field.tsx'

interface Passwords {
  password: string
  confirmation: string
}

export const confirmationSchema = z
  .string()
  .check(z.minLength(1, 'Confirmation du mot de passe requise'))

export const matchesConfirmation = z.refine<Passwords>(
  ({ password, confirmation }) => password === confirmation,
  {
    error: 'Les mots de passe ne correspondent pas',
    path: ['confirmation'],
    // Validated once both have a value, whatever the other fields lack.
    when: ({ value }) => (value as Passwords).confirmation !== '',
  },
)

type FieldProps = Omit<ComponentProps<typeof PasswordField>, 'label'>

interface NewPasswordFieldsProps {
  /** The account has no password yet. */
  isFirst?: boolean
  password: FieldProps
  confirmation: FieldProps
}

/** A password to choose, typed twice. */
export function NewPasswordFields({
  isFirst = false,
  password,
  confirmation,
}: NewPasswordFieldsProps) {
  return (
    <>
      <PasswordField
        label={isFirst ? 'Mot de passe' : 'Nouveau mot de passe'}
        hint="Au moins 8 caractères."
        autoComplete="new-password"
        {...password}
      />
      <PasswordField
        label={isFirst ? 'Confirmer le mot de passe' : 'Confirmer le nouveau mot de passe'}
        autoComplete="new-password"
        {...confirmation}
      />
    </>
  )
}
