import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { revealDateSchema, timeZoneSchema } from './sealing.ts'
import { idSchema, instantSchema, successSchema, typedText } from './text.ts'

export const SOUND_MAX_BYTES = 50 * 1024 * 1024
export const SOUND_TITLE_MAX_LENGTH = 120
export const SOUND_DESCRIPTION_MAX_LENGTH = 1_000
export const REVEAL_MESSAGE_MAX_LENGTH = 500
export const SOUNDS_DEFAULT_LIMIT = 100
export const SOUNDS_MAX_LIMIT = 500

export const SOUND_CATEGORIES = ['message', 'music', 'memory', 'story'] as const
export type SoundCategory = (typeof SOUND_CATEGORIES)[number]

/**
 * A voice of the circle. Before its instant it is locked, for its author too (behaviour.md 2.8): the addresses are absent for
 * everybody; description, file name, size, type and length, which are of the letter, are absent for all but the author.
 */
export const soundSchema = z.object({
  id: z.string(),
  title: z.string(),
  author_id: z.string(),
  author_pseudo: z.string(),
  author_avatar: z.nullable(z.string()),
  category: z.enum(SOUND_CATEGORIES),
  created_at: instantSchema,
  is_favorite: z.boolean(),
  play_count: z.number(),
  /** null for what was never scheduled. */
  reveal_date: z.nullable(instantSchema),
  time_zone: z.string(),
  is_revealed: z.boolean(),
  /** Said of a locked sound to whoever may know of it. */
  reveal_message: z.nullable(z.string()),
  can_access: z.boolean(),
  /** null for the whole circle. */
  recipient_id: z.nullable(z.string()),
  recipient_pseudo: z.nullable(z.string()),
  is_public: z.boolean(),
  can_delete: z.boolean(),
  description: z.optional(z.string()),
  file_name: z.optional(z.string()),
  file_size: z.optional(z.number()),
  mime_type: z.optional(z.string()),
  /** Seconds, as the server measured them. */
  duration: z.optional(z.number()),
  /** As it was sent. */
  file_url: z.optional(z.string()),
  /** AAC, which every browser plays and seeks in; null until it is made. */
  file_mobile_url: z.optional(z.nullable(z.string())),
  /** With its true extension and its length, which what a browser records does not say. */
  download_url: z.optional(z.string()),
  has_waveform: z.optional(z.boolean()),
  /** To the author only. */
  processing_status: z.optional(z.enum(['none', 'processing', 'completed', 'failed'])),
})
export type Sound = z.infer<typeof soundSchema>

/** What a client says of the file (name, size, type, length) and of its author is not asked: the server knows. */
export const soundInputSchema = z.object({
  title: typedText({
    line: true,
    required: 'Veuillez donner un titre à votre message avant de le partager',
    max: {
      length: SOUND_TITLE_MAX_LENGTH,
      message: 'Le titre ne peut pas dépasser 120 caractères',
    },
  }),
  description: z.optional(
    z.nullable(
      typedText({
        max: {
          length: SOUND_DESCRIPTION_MAX_LENGTH,
          message: 'La description ne peut pas dépasser 1\u00A0000 caractères',
        },
      }),
    ),
  ),
  file_url: z.string('Fichier invalide').check(z.maxLength(2_000, 'Fichier invalide')),
  category: z.optional(z.enum(SOUND_CATEGORIES, 'Cette catégorie n’existe pas')),
  /** For one person of the circle; absent or null for all of the family. */
  recipient_id: z.optional(z.nullable(idSchema)),
  is_public: z.optional(z.boolean('Choisissez à qui ce message s’adresse')),
  /** Past, now or absent: revealed at once. */
  reveal_date: z.optional(z.nullable(revealDateSchema)),
  time_zone: z.optional(timeZoneSchema),
  reveal_message: z.optional(
    z.nullable(
      typedText({
        max: {
          length: REVEAL_MESSAGE_MAX_LENGTH,
          message: 'Le mot d’attente ne peut pas dépasser 500 caractères',
        },
      }),
    ),
  ),
})
export type SoundInput = z.input<typeof soundInputSchema>

/** Of all the sounds I may know of; lengths and plays only of those that are revealed. */
const totalsSchema = z.object({
  sounds: z.number(),
  /** Seconds. */
  duration: z.number(),
  favorites: z.number(),
  plays: z.number(),
})
export type SoundTotals = z.infer<typeof totalsSchema>

const byId = z.object({ id: idSchema })
const tags = ['sounds'] as const

export const listSounds = defineEndpoint({
  method: 'GET',
  url: '/api/family-sounds',
  scope: 'read',
  schema: {
    summary:
      'The voices of my circle, the newest first, `limit` at once (100, at most 500); nothing for a visitor',
    tags,
    querystring: z.object({
      cursor: z.optional(z.string('Page invalide').check(z.maxLength(200, 'Page invalide'))),
      limit: z.optional(
        z.coerce
          .number('Nombre invalide')
          .check(
            z.int('Nombre invalide'),
            z.gte(1, 'Nombre invalide'),
            z.lte(SOUNDS_MAX_LIMIT, 'Nombre invalide'),
          ),
      ),
    }),
    response: {
      200: z.object({
        sounds: z.array(soundSchema),
        next_cursor: z.nullable(z.string()),
        count: z.number(),
        totals: totalsSchema,
      }),
    },
  },
})

/** As the list has it, with tickets made now. */
export const getSound = defineEndpoint({
  method: 'GET',
  url: '/api/family-sounds/:id',
  scope: 'read',
  schema: {
    summary: 'One voice of my circle',
    tags,
    params: byId,
    response: { 200: z.object({ sound: soundSchema }) },
  },
})

export const createSound = defineEndpoint({
  method: 'POST',
  url: '/api/family-sounds',
  scope: 'write',
  createsOnce: true,
  schema: {
    summary:
      'Share an uploaded sound with my family or with one person of my circle, now or at an instant',
    tags,
    body: soundInputSchema,
    response: { 201: z.object({ sound: soundSchema }) },
  },
})

export const countPlay = defineEndpoint({
  method: 'PUT',
  url: '/api/family-sounds/:id/play',
  scope: 'write',
  schema: {
    summary: 'Count that I listen to a sound; 403 `sound_locked` before its instant',
    tags,
    params: byId,
    response: { 200: z.object({ play_count: z.number() }) },
  },
})

export const toggleFavorite = defineEndpoint({
  method: 'PUT',
  url: '/api/family-sounds/:id/favorite',
  scope: 'write',
  schema: {
    summary:
      'Keep a sound among my favourites or no longer; a body `{is_favorite}` says which, none turns it over',
    tags,
    params: byId,
    body: z.optional(
      z.nullable(z.object({ is_favorite: z.optional(z.boolean('Choisissez oui ou non')) })),
    ),
    response: { 200: z.object({ is_favorite: z.boolean() }) },
  },
})

export const deleteSound = defineEndpoint({
  method: 'DELETE',
  url: '/api/family-sounds/:id',
  schema: {
    summary: 'Delete a sound of mine, for everybody',
    tags,
    params: byId,
    response: { 200: successSchema },
  },
})

export const getWaveform = defineEndpoint({
  method: 'GET',
  url: '/api/family-sounds/:id/waveform',
  scope: 'read',
  schema: {
    summary: 'The shape of a sound I may listen to: loudness from 0 to 1, evenly along its length',
    tags,
    params: byId,
    response: { 200: z.object({ peaks: z.array(z.number()), duration: z.number() }) },
  },
})
