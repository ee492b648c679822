import * as z from 'zod/mini'

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
