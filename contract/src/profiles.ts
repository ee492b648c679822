import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { recordSchema } from './predictions.ts'
import { idSchema, instantSchema, successSchema, typedText } from './text.ts'

const PSEUDO_MIN_LENGTH = 3
const PSEUDO_MAX_LENGTH = 20

export const pseudoSchema = z.string('Pseudo requis').check(
  z.trim(),
  z.normalize('NFC'),
  z.minLength(1, { error: 'Pseudo requis', abort: true }),
  z.minLength(PSEUDO_MIN_LENGTH, {
    error: 'Le pseudo doit contenir au moins 3 caractères',
    abort: true,
  }),
  z.maxLength(PSEUDO_MAX_LENGTH, {
    error: 'Le pseudo ne peut pas dépasser 20 caractères',
    abort: true,
  }),
  z.regex(/^[\p{L}\p{N}_.-]+$/u, {
    error: 'Le pseudo ne peut contenir que des lettres, des chiffres et _ . -',
  }),
)

/** Alphabets, and those that one language writes together. */
const SCRIPTS = [
  ...['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew', 'Arabic', 'Ethiopic', 'Thai'],
  ...['Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya', 'Tamil', 'Telugu', 'Kannada'],
  ...['Malayalam', 'Sinhala', 'Lao', 'Khmer', 'Myanmar', 'Tibetan'],
  ...['Han Hiragana Katakana', 'Han Bopomofo', 'Han Hangul'],
]

/** Made when it is first asked for: pages that ask nobody for a pseudo need not wait for it. */
let ofOneScript: RegExp | undefined

function isOfOneScript(pseudo: string): boolean {
  ofOneScript ??= new RegExp(
    SCRIPTS.map((scripts) => {
      const letters = scripts.split(' ').map((script) => `\\p{Script_Extensions=${script}}`)
      return `^[${letters.join('')}\\p{Nd}_.-]+$`
    }).join('|'),
    'u',
  )
  // « ａ » and « 𝐚 » are an « a » to whoever reads them. The fillers of Hangul are letters that nobody sees.
  const hasUnseen = /\p{Default_Ignorable_Code_Point}/u.test(pseudo)
  return !hasUnseen && ofOneScript.test(pseudo.normalize('NFKC'))
}

/** A pseudo that is chosen now. Those of before may be of several alphabets. */
export const newPseudoSchema = pseudoSchema.check(
  z.refine(isOfOneScript, {
    error: 'Écrivez le pseudo avec les lettres d’un seul alphabet',
    abort: true,
  }),
)

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

export const userSchema = z.extend(publicUserSchema, {
  email: z.string(),
  /** Whether they were shown around, on any device. */
  onboarded: z.boolean(),
})
export type User = z.infer<typeof userSchema>

const INVALID_WEBSITE = 'L’adresse du site doit commencer par http:// ou https://'

export const INVALID_AVATAR = 'Choisissez une image pour votre photo de profil'

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
      line: true,
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
  /** The `url` of an image one just uploaded; null takes the picture away; one’s own changes nothing. */
  avatar_url: z.optional(
    z.nullable(z.string(INVALID_AVATAR).check(z.maxLength(2_000, INVALID_AVATAR))),
  ),
})
export type ProfileInput = z.infer<typeof profileInputSchema>

const tags = ['profiles'] as const

export const getProfile = defineEndpoint({
  method: 'GET',
  url: '/api/auth/profile',
  scope: 'read',
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

export const markOnboarded = defineEndpoint({
  method: 'POST',
  url: '/api/auth/onboarded',
  schema: {
    summary: 'I was shown around: not again by itself, on any device',
    tags,
    response: { 200: successSchema },
  },
})

/** Of one’s own: everything. Of somebody else: what is public and revealed. */
export const profileStatsSchema = z.object({
  total_revelations: z.number(),
  revealed_revelations: z.number(),
  pending_revelations: z.number(),
  total_reactions: z.number(),
  total_comments: z.number(),
  total_views: z.number(),
  /** The public record (behaviour.md 8.3), the same for everyone. */
  record: recordSchema,
})
export type ProfileStats = z.infer<typeof profileStatsSchema>

/** How a signed-in viewer stands to this person; null for a visitor and for oneself. */
export const standingSchema = z.nullable(
  z.object({
    relationship: z.nullable(z.object({ id: z.string(), type: z.enum(['friend', 'family']) })),
    request: z.nullable(
      z.object({
        id: z.string(),
        type: z.enum(['friend', 'family']),
        direction: z.enum(['sent', 'received']),
      }),
    ),
  }),
)
export type Standing = z.infer<typeof standingSchema>

export const getUser = defineEndpoint({
  method: 'GET',
  url: '/api/auth/user/:id',
  scope: 'read',
  schema: {
    summary: 'A person and their figures',
    tags,
    params: z.object({ id: idSchema }),
    response: {
      200: z.object({
        user: publicUserSchema,
        stats: profileStatsSchema,
        standing: standingSchema,
      }),
    },
  },
})

const SEARCH_TOO_LONG = 'Cette recherche est trop longue'

export const searchUsers = defineEndpoint({
  method: 'GET',
  url: '/api/auth/search',
  scope: 'read',
  schema: {
    summary: 'People by a part of their pseudo, or by their whole e-mail',
    tags,
    querystring: z.object({
      q: z.optional(
        z.string('Cette recherche n’est pas valide').check(z.maxLength(254, SEARCH_TOO_LONG)),
      ),
    }),
    response: { 200: z.object({ users: z.array(publicUserSchema) }) },
  },
})
