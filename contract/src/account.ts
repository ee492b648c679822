import * as z from 'zod/mini'
import { existingPassword, newPassword } from './auth.ts'
import { defineEndpoint } from './endpoint.ts'
import { userSchema } from './profiles.ts'
import { emailAddress, instantSchema, successSchema } from './text.ts'

const linkToken = z
  .string('Ce lien n’est pas valide')
  .check(z.minLength(1, 'Ce lien n’est pas valide'), z.maxLength(200, 'Ce lien n’est pas valide'))

export const forgotPasswordInputSchema = z.object({ email: emailAddress('Email requis') })

export const resetPasswordInputSchema = z.object({
  token: linkToken,
  password: newPassword(
    'Nouveau mot de passe requis',
    'Le nouveau mot de passe doit contenir au moins 8 caractères',
  ),
})

export const changeEmailInputSchema = z.object({
  email: emailAddress('Email requis'),
  password: existingPassword('Mot de passe requis'),
})

export const deleteAccountInputSchema = z.object({
  password: existingPassword('Mot de passe requis'),
})

const tags = ['account'] as const

export const sendVerification = defineEndpoint({
  method: 'POST',
  url: '/api/auth/send-verification',
  schema: {
    summary: 'Mail me a link that proves my address; nothing when it is proved',
    tags,
    response: { 200: successSchema },
  },
})

export const verifyEmail = defineEndpoint({
  method: 'POST',
  url: '/api/auth/verify-email',
  schema: {
    summary:
      'Use the link of a mail: it proves an address, and makes a new one the address of the account',
    tags,
    body: z.object({ token: linkToken }),
    response: { 200: z.object({ user: userSchema }) },
  },
})

export const readEmailLink = defineEndpoint({
  method: 'POST',
  url: '/api/auth/email-link',
  schema: {
    summary: 'Which account and address the link of a mail would confirm; nothing is used up',
    tags,
    body: z.object({ token: linkToken }),
    response: { 200: z.object({ pseudo: z.string(), email: z.string() }) },
  },
})

export const refuseEmailLink = defineEndpoint({
  method: 'POST',
  url: '/api/auth/refuse-email',
  schema: {
    summary:
      'Say that the account is not mine: the link ends, and my address is mailed no other for it',
    tags,
    body: z.object({ token: linkToken }),
    response: { 200: successSchema },
  },
})

export const forgotPassword = defineEndpoint({
  method: 'POST',
  url: '/api/auth/forgot-password',
  schema: {
    summary:
      'Mail a link to choose another password, if this address has an account; it is never said',
    tags,
    body: forgotPasswordInputSchema,
    response: { 200: successSchema },
  },
})

export const resetPassword = defineEndpoint({
  method: 'POST',
  url: '/api/auth/reset-password',
  schema: {
    summary: 'Choose another password with the link of a mail, once; every session ends',
    tags,
    body: resetPasswordInputSchema,
    response: { 200: successSchema },
  },
})

export const changeEmail = defineEndpoint({
  method: 'POST',
  url: '/api/auth/change-email',
  schema: {
    summary:
      'Ask for another address: it counts once the link mailed to it is used; the old one is told',
    tags,
    body: changeEmailInputSchema,
    response: { 200: successSchema },
  },
})

/** What goes with an account; letters to oneself are not « pending to others », every voice is for somebody else. */
export const accountRemainsSchema = z.object({
  revelations_count: z.number(),
  pending_count: z.number(),
  sounds: z.number(),
  /** Those of them whose instant has not come. */
  sealed_sounds: z.number(),
  /** The soonest first, at most 100. */
  pending: z.array(
    z.object({
      id: z.string(),
      title: z.string(),
      target_email: z.string(),
      /** As the author calls them, which is what one reads where there is one. */
      target_name: z.nullable(z.string()),
      reveal_date: instantSchema,
    }),
  ),
})
export type AccountRemains = z.infer<typeof accountRemainsSchema>

export const getAccountRemains = defineEndpoint({
  method: 'GET',
  url: '/api/auth/account/deletion',
  schema: {
    summary:
      'What deleting my account would take away: letters that would never reach their addressee',
    tags,
    response: { 200: accountRemainsSchema },
  },
})

export const deleteAccount = defineEndpoint({
  method: 'DELETE',
  url: '/api/auth/account',
  schema: {
    summary: 'Delete my account: keys, files, letters and everything about me, at once',
    tags,
    body: deleteAccountInputSchema,
    response: { 200: successSchema },
  },
})
