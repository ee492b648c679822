import * as z from 'zod/mini'
import { existingPassword } from './auth.ts'
import { defineEndpoint, SCOPES } from './endpoint.ts'
import { idSchema, instantSchema, successSchema, typedText } from './text.ts'

/** What a token begins with: whoever finds one in a file knows what it is. */
export const API_TOKEN_PREFIX = 'rev_'

export const API_TOKENS_PER_ACCOUNT = 20

/** The days after which a token may end by itself. */
export const API_TOKEN_DAYS = [30, 90, 365] as const

export const API_TOKEN_NAME_MAX_LENGTH = 60
const NO_SCOPE = 'Choisissez ce que ce jeton permet'

export const apiTokenInputSchema = z.object({
  name: typedText({
    line: true,
    required: 'Donnez un nom à ce jeton',
    max: {
      length: API_TOKEN_NAME_MAX_LENGTH,
      message: 'Le nom ne peut pas dépasser 60 caractères',
    },
  }),
  scopes: z.array(z.enum(SCOPES, NO_SCOPE), NO_SCOPE).check(z.minLength(1, NO_SCOPE)),
  /** Null for one without an end. */
  expires_in_days: z.optional(z.nullable(z.literal(API_TOKEN_DAYS, 'Choisissez une durée'))),
  password: existingPassword('Mot de passe requis'),
})
export type ApiTokenInput = z.infer<typeof apiTokenInputSchema>

const apiTokenSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: instantSchema,
  /** To the minute. */
  last_used_at: z.nullable(instantSchema),
  expires_at: z.nullable(instantSchema),
})
export type ApiToken = z.infer<typeof apiTokenSchema>

const tags = ['api-tokens'] as const

export const listApiTokens = defineEndpoint({
  method: 'GET',
  url: '/api/auth/tokens',
  schema: {
    summary: 'My tokens of the API, without their secrets',
    tags,
    response: { 200: z.object({ tokens: z.array(apiTokenSchema) }) },
  },
})

/** 403 `feature_of_plan` where the plan has no API, 409 `too_many_tokens`, 400 `wrong_password`. */
export const createApiToken = defineEndpoint({
  method: 'POST',
  url: '/api/auth/tokens',
  schema: {
    summary: 'Create a token of the API; its secret is in this answer and in no other',
    tags,
    body: apiTokenInputSchema,
    response: { 201: z.object({ token: z.string(), api_token: apiTokenSchema }) },
  },
})

export const revokeApiToken = defineEndpoint({
  method: 'DELETE',
  url: '/api/auth/tokens/:id',
  schema: {
    summary: 'Revoke a token of the API: it opens nothing from now on',
    tags,
    params: z.object({ id: idSchema }),
    response: { 200: successSchema },
  },
})
