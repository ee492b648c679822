import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { pseudoSchema } from './pseudo.ts'
import { instantSchema, typedText } from './text.ts'

export const BIO_MAX_LENGTH = 500
export const LOCATION_MAX_LENGTH = 100

export const publicUserSchema = z.object({
  id: z.string(),
  pseudo: z.string(),
  avatar_url: z.nullable(z.string()),
  bio: z.string(),
  location: z.string(),
  website: z.string(),
  email_verified: z.boolean(),
  created_at: instantSchema,
})
export type PublicUser = z.infer<typeof publicUserSchema>

export const userSchema = z.extend(publicUserSchema, { email: z.string() })
export type User = z.infer<typeof userSchema>

const INVALID_WEBSITE = 'L’adresse du site doit commencer par http:// ou https://'

function isWebAddress(text: string): boolean {
  if (text === '') return true
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:')
}

export const profileInputSchema = z.object({
  pseudo: z.optional(pseudoSchema),
  bio: z.optional(
    typedText({
      max: { length: BIO_MAX_LENGTH, message: 'La bio ne peut pas dépasser 500 caractères' },
    }),
  ),
  location: z.optional(
    typedText({
      max: {
        length: LOCATION_MAX_LENGTH,
        message: 'La localisation ne peut pas dépasser 100 caractères',
      },
    }),
  ),
  website: z.optional(
    typedText({ max: { length: 200, message: INVALID_WEBSITE } }).check(
      z.refine(isWebAddress, INVALID_WEBSITE),
    ),
  ),
})
export type ProfileInput = z.infer<typeof profileInputSchema>

const tags = ['profiles'] as const

export const getProfile = defineEndpoint({
  method: 'GET',
  url: '/api/auth/profile',
  schema: {
    summary: 'My profile',
    tags,
    response: { 200: z.object({ user: userSchema }) },
  },
})

export const updateProfile = defineEndpoint({
  method: 'PUT',
  url: '/api/auth/profile',
  schema: {
    summary: 'Change my profile; what is absent stays as it is',
    tags,
    body: profileInputSchema,
    response: { 200: z.object({ user: userSchema }) },
  },
})
