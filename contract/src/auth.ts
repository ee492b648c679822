import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { newPseudoSchema, userSchema } from './profiles.ts'
import { emailAddress, existingEmailAddress, idSchema, successSchema } from './text.ts'

export const PASSWORD_MIN_LENGTH = 8
export const PASSWORD_MAX_LENGTH = 128

export function newPassword(required: string, tooShort: string) {
  return z.string(required).check(
    z.minLength(1, { error: required, abort: true }),
    z.minLength(PASSWORD_MIN_LENGTH, { error: tooShort, abort: true }),
    z.maxLength(PASSWORD_MAX_LENGTH, {
      error: 'Le mot de passe ne peut pas dépasser 128 caractères',
      abort: true,
    }),
    z.refine(
      (password) => password.isWellFormed(),
      'Ce mot de passe contient des caractères illisibles',
    ),
  )
}

/** A password as it is checked, not chosen: any length a person may have typed, within reason. */
export function existingPassword(required: string) {
  return z
    .string(required)
    .check(z.minLength(1, { error: required, abort: true }), z.maxLength(1024, required))
}

export const MINIMUM_AGE = 15
const AGE_REQUIRED = 'Révélations est réservé aux personnes de 15 ans ou plus'

export const registerInputSchema = z.object({
  pseudo: newPseudoSchema,
  email: emailAddress('Email requis'),
  password: newPassword(
    'Mot de passe requis',
    'Le mot de passe doit contenir au moins 8 caractères',
  ),
  /** The tick of the form; a program that does not send it is not asked. */
  age_confirmed: z.optional(
    z.boolean(AGE_REQUIRED).check(z.refine((isOfAge) => isOfAge, AGE_REQUIRED)),
  ),
})
export type RegisterInput = z.infer<typeof registerInputSchema>

export const loginInputSchema = z.object({
  email: existingEmailAddress('Email requis'),
  password: existingPassword('Mot de passe requis'),
})
export type LoginInput = z.infer<typeof loginInputSchema>

export const changePasswordInputSchema = z.object({
  currentPassword: existingPassword('Mot de passe actuel requis'),
  newPassword: newPassword(
    'Nouveau mot de passe requis',
    'Le nouveau mot de passe doit contenir au moins 8 caractères',
  ),
})
export type ChangePasswordInput = z.infer<typeof changePasswordInputSchema>

const sessionOpenedSchema = z.object({ token: z.string(), user: userSchema })
export type SessionOpened = z.infer<typeof sessionOpenedSchema>

const tags = ['auth'] as const

export const register = defineEndpoint({
  method: 'POST',
  url: '/api/auth/register',
  schema: {
    summary: 'Create an account and open a session',
    tags,
    body: registerInputSchema,
    response: { 201: sessionOpenedSchema },
  },
})

export const login = defineEndpoint({
  method: 'POST',
  url: '/api/auth/login',
  schema: {
    summary: 'Open a session',
    tags,
    body: loginInputSchema,
    response: { 200: sessionOpenedSchema },
  },
})

export const logout = defineEndpoint({
  method: 'POST',
  url: '/api/auth/logout',
  schema: { summary: 'End this session', tags, response: { 200: successSchema } },
})

export const verifyToken = defineEndpoint({
  method: 'GET',
  url: '/api/auth/verify-token',
  schema: {
    summary: 'Who this session belongs to',
    tags,
    response: { 200: z.object({ user: userSchema }) },
  },
})

export const changePassword = defineEndpoint({
  method: 'PUT',
  url: '/api/auth/change-password',
  schema: {
    summary: 'Change the password; every other session ends',
    tags,
    body: changePasswordInputSchema,
    response: { 200: successSchema },
  },
})

export const sessionSchema = z.object({
  id: z.string(),
  created_at: z.string(),
  last_seen_at: z.string(),
  device: z.string(),
  current: z.boolean(),
})

export const listSessions = defineEndpoint({
  method: 'GET',
  url: '/api/auth/sessions',
  schema: {
    summary: 'The open sessions of the account',
    tags,
    response: { 200: z.object({ sessions: z.array(sessionSchema) }) },
  },
})

export const endSession = defineEndpoint({
  method: 'DELETE',
  url: '/api/auth/sessions/:id',
  schema: {
    summary: 'End one session of the account',
    tags,
    params: z.object({ id: idSchema }),
    response: { 200: successSchema },
  },
})

export const endOtherSessions = defineEndpoint({
  method: 'DELETE',
  url: '/api/auth/sessions',
  schema: {
    summary: 'End every session of the account but this one',
    tags,
    response: { 200: successSchema },
  },
})
