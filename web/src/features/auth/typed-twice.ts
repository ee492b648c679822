import * as z from 'zod/mini'

interface TypedTwice {
  password: string
  confirmation: string
}

export const confirmationSchema = z
  .string()
  .check(z.minLength(1, 'Confirmation du mot de passe requise'))

export const isTypedTwice = z.refine<TypedTwice>(
  ({ password, confirmation }) => password === confirmation,
  {
    error: 'Les mots de passe ne correspondent pas',
    path: ['confirmation'],
    // Told as soon as both are typed, whatever the other fields still lack.
    when: ({ value }) => (value as TypedTwice).confirmation !== '',
  },
)
