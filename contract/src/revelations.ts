import * as z from 'zod/mini'
import { CATEGORIES } from './categories.ts'
import { deliverySchema } from './deliveries.ts'
import { defineEndpoint } from './endpoint.ts'
import { failedJobSchema } from './jobs.ts'
import { OUTCOME_FILTERS } from './outcomes.ts'
import { predictionSchema } from './predictions.ts'
import { RECORD_VIEW_URL } from './revelation-facts.ts'
import { emailAddress, idSchema, instantSchema, successSchema, typedText } from './text.ts'

export const TITLE_MIN_LENGTH = 3
export const TITLE_MAX_LENGTH = 120
export const CONTENT_MIN_LENGTH = 10
export const CONTENT_MAX_LENGTH = 20_000
export const TEASER_MIN_SECONDS = 1
export const TEASER_MAX_SECONDS = 30
export const TEASER_DEFAULT_SECONDS = 10
export const REVEAL_HORIZON_YEARS = 100
export const DEFAULT_TIME_ZONE = 'Europe/Brussels'
export const LIST_DEFAULT_LIMIT = 20
export const LIST_MAX_LIMIT = 100

/** From the widest audience to the narrowest. */
export const VISIBILITIES = ['public', 'friends', 'family', 'private'] as const
export type Visibility = (typeof VISIBILITIES)[number]

export const FILE_TYPES = ['video', 'image', 'audio', 'document'] as const
export type FileType = (typeof FILE_TYPES)[number]

const titleSchema = typedText({
  required: 'Le titre est requis',
  min: { length: TITLE_MIN_LENGTH, message: 'Le titre doit contenir au moins 3 caractères' },
  max: { length: TITLE_MAX_LENGTH, message: 'Le titre ne peut pas dépasser 120 caractères' },
})

const contentSchema = typedText({
  required: 'Le contenu est requis',
  min: { length: CONTENT_MIN_LENGTH, message: 'Le contenu doit contenir au moins 10 caractères' },
  max: {
    length: CONTENT_MAX_LENGTH,
    message: 'Le contenu ne peut pas dépasser 20\u00A0000 caractères',
  },
})

const REVEAL_DATE =
  /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2}))?$/

function isRevealDate(text: string): boolean {
  if (!REVEAL_DATE.test(text) || Number.isNaN(Date.parse(text))) return false
  // Date.parse rolls 30 February over to March; the day asked for must exist.
  const day = text.slice(0, 10)
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day)
}

/** An instant with its offset, or a day (which opens at 00:00 in `time_zone`). */
export const revealDateSchema = z
  .string('La date de révélation est requise')
  .check(
    z.minLength(1, { error: 'La date de révélation est requise', abort: true }),
    z.refine(isRevealDate, 'La date de révélation n’est pas valide'),
  )

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('fr', { timeZone: name })
    return name.length <= 64 && /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

export const timeZoneSchema = z
  .string('Ce fuseau horaire n’existe pas')
  .check(z.refine(isTimeZone, 'Ce fuseau horaire n’existe pas'))

const secondsSchema = z.nullable(
  z
    .number('L’extrait n’est pas valide')
    .check(z.gte(0, 'L’extrait n’est pas valide'), z.lte(86_400, 'L’extrait n’est pas valide')),
)

const revelationFields = {
  title: titleSchema,
  content: contentSchema,
  target_email: emailAddress("L'email du destinataire est requis"),
  /** Where it goes besides, so that it arrives; null takes it away. */
  second_email: z.optional(z.nullable(emailAddress('Format email invalide'))),
  reveal_date: revealDateSchema,
  time_zone: z.optional(timeZoneSchema),
  category: z.optional(z.enum(CATEGORIES, 'Cette catégorie n’existe pas')),
  visibility: z.optional(z.enum(VISIBILITIES, 'Cette visibilité n’existe pas')),
  is_private: z.optional(z.boolean('Cette visibilité n’existe pas')),
  file_url: z.optional(
    z.nullable(z.string('Fichier invalide').check(z.maxLength(2_000, 'Fichier invalide'))),
  ),
  file_type: z.optional(z.nullable(z.string('Type de fichier non autorisé'))),
  teaser_start: z.optional(secondsSchema),
  teaser_end: z.optional(secondsSchema),
}

interface TeaserBounds {
  teaser_start?: number | null | undefined
  teaser_end?: number | null | undefined
}

function hasWholeTeaser(input: TeaserBounds): boolean {
  return (input.teaser_start == null) === (input.teaser_end == null)
}

function isTeaserLongEnough({ teaser_start, teaser_end }: TeaserBounds): boolean {
  if (teaser_start == null || teaser_end == null) return true
  return teaser_end - teaser_start >= TEASER_MIN_SECONDS
}

function isTeaserShortEnough({ teaser_start, teaser_end }: TeaserBounds): boolean {
  if (teaser_start == null || teaser_end == null) return true
  return teaser_end - teaser_start <= TEASER_MAX_SECONDS
}

const teaserChecks = [
  z.refine<TeaserBounds>(hasWholeTeaser, {
    error: 'L’extrait demande un début et une fin',
    path: ['teaser_end'],
  }),
  z.refine<TeaserBounds>(isTeaserLongEnough, {
    error: 'La fin de l’extrait doit être au moins 1\u00A0s après son début',
    path: ['teaser_end'],
  }),
  z.refine<TeaserBounds>(isTeaserShortEnough, {
    error: 'Le teaser dépasse la durée maximale autorisée',
    path: ['teaser_end'],
  }),
] as const

export const createRevelationInputSchema = z.object(revelationFields).check(...teaserChecks)
export type CreateRevelationInput = z.infer<typeof createRevelationInputSchema>

/** What is absent stays as it is; `file_url: null` takes the file away. */
export const editRevelationInputSchema = z
  .partial(z.object(revelationFields))
  .check(...teaserChecks)
export type EditRevelationInput = z.infer<typeof editRevelationInputSchema>

const TWINS = {
  targetEmail: 'target_email',
  secondEmail: 'second_email',
  revealDate: 'reveal_date',
  isPrivate: 'is_private',
  fileUrl: 'file_url',
  fileType: 'file_type',
  teaserStart: 'teaser_start',
  teaserEnd: 'teaser_end',
  timeZone: 'time_zone',
} as const

/** Gives the camelCase twins that older clients send their wire names; the wire name wins over its twin. */
export function renameTwins(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const renamed: Record<string, unknown> = { ...body }
  for (const [twin, name] of Object.entries(TWINS)) {
    if (!Object.hasOwn(renamed, twin)) continue
    if (!Object.hasOwn(renamed, name)) renamed[name] = renamed[twin]
    delete renamed[twin]
  }
  return renamed
}

const processingStatusSchema = z.enum(['none', 'processing', 'completed', 'failed'])

/** What can be seen of a sealed revelation, by whoever may know of it. */
export const envelopeSchema = z.object({
  id: z.string(),
  title: z.string(),
  author_id: z.string(),
  author_pseudo: z.string(),
  author_avatar: z.nullable(z.string()),
  target_email: z.string(),
  reveal_date: instantSchema,
  time_zone: z.string(),
  category: z.enum(CATEGORIES),
  visibility: z.enum(VISIBILITIES),
  is_private: z.boolean(),
  is_revealed: z.boolean(),
  file_type: z.nullable(z.enum(FILE_TYPES)),
  teaser_start: z.nullable(z.number()),
  teaser_end: z.nullable(z.number()),
  teaser_url: z.nullable(z.string()),
  thumbnail_teaser: z.nullable(z.string()),
  reactions_count: z.number(),
  comments_count: z.number(),
  views_count: z.number(),
  my_reactions: z.array(z.string()),
  created_at: instantSchema,
  updated_at: instantSchema,
  version: z.number(),
  commitment: z.string(),
  /** Of what is public and revealed. */
  prediction: z.nullable(predictionSchema),
  can: z.object({
    edit: z.boolean(),
    delete: z.boolean(),
    react: z.boolean(),
    comment: z.boolean(),
    /** Say what became of it. */
    declare: z.boolean(),
    vote: z.boolean(),
  }),
})
export type Envelope = z.infer<typeof envelopeSchema>

const letterFields = {
  content: z.string(),
  file_url: z.nullable(z.string()),
  file_mobile_url: z.nullable(z.string()),
  file_name: z.nullable(z.string()),
  file_size: z.nullable(z.number()),
  duration: z.nullable(z.number()),
  thumbnail_complete: z.nullable(z.string()),
}

/** Envelope and letter: the shape only whoever may read it receives. */
export const openRevelationSchema = z.extend(envelopeSchema, letterFields)
export type OpenRevelation = z.infer<typeof openRevelationSchema>

/** What its author receives besides. */
export const ownRevelationSchema = z.extend(openRevelationSchema, {
  /** The original of one's own video, for choosing a teaser. */
  video_edit_url: z.nullable(z.string()),
  processing_status: processingStatusSchema,
  processing_progress: z.number(),
  processing_error: z.nullable(z.string()),
  /** What failed of the file, for `POST /api/jobs/:jobId/retry`. */
  failed_jobs: z.array(failedJobSchema),
  /** To `target_email`; `second_delivery` to the other address. */
  delivery: deliverySchema,
  second_delivery: z.nullable(deliverySchema),
  /** Hidden by the operator after a report: nobody else sees it, and it is not delivered. */
  is_suspended: z.boolean(),
})
export type OwnRevelation = z.infer<typeof ownRevelationSchema>

/** The widest shape that fits wins, so the letter's keys are absent wherever the server did not write them. */
export const revelationSchema = z.union([ownRevelationSchema, openRevelationSchema, envelopeSchema])
export type Revelation = z.infer<typeof revelationSchema>

export const SORTS = ['newest', 'soonest', 'latest_revealed', 'popular'] as const
export type Sort = (typeof SORTS)[number]

export const listQuerySchema = z.object({
  q: z.optional(
    z
      .string('Cette recherche n’est pas valide')
      .check(z.maxLength(200, 'Cette recherche est trop longue')),
  ),
  visibility: z.optional(z.enum(['all', ...VISIBILITIES], 'Ce filtre n’existe pas')),
  status: z.optional(z.enum(['all', 'revealed', 'pending'], 'Ce filtre n’existe pas')),
  category: z.optional(z.enum(CATEGORIES, 'Cette catégorie n’existe pas')),
  author: z.optional(idSchema),
  /** Public and revealed ones only. */
  outcome: z.optional(z.enum(OUTCOME_FILTERS, 'Ce filtre n’existe pas')),
  sort: z.optional(z.enum(SORTS, 'Ce tri n’existe pas')),
  cursor: z.optional(
    z
      .string('Ce repère de page n’est pas valide')
      .check(z.maxLength(500, 'Ce repère de page n’est pas valide')),
  ),
  limit: z.optional(
    z.coerce
      .number('La taille de page va de 1 à 100')
      .check(
        z.int('La taille de page va de 1 à 100'),
        z.gte(1, 'La taille de page va de 1 à 100'),
        z.lte(LIST_MAX_LIMIT, 'La taille de page va de 1 à 100'),
      ),
  ),
})
export type ListQuery = z.infer<typeof listQuerySchema>

export const revelationPageSchema = z.object({
  revelations: z.array(revelationSchema),
  next_cursor: z.nullable(z.string()),
  counts: z.object({
    found: z.number(),
    revealed: z.number(),
    pending: z.number(),
    /** Of a search or an outcome that finds more than is worth counting: more than `found`. */
    is_capped: z.optional(z.boolean()),
  }),
})
export type RevelationPage = z.infer<typeof revelationPageSchema>

const byId = z.object({ id: idSchema })
const oneRevelation = z.object({ revelation: revelationSchema })
const tags = ['revelations'] as const

export const listRevelations = defineEndpoint({
  method: 'GET',
  url: '/api/revelations',
  schema: {
    summary: 'The feed: public, friends’ and own items, searched, filtered, sorted',
    tags,
    querystring: listQuerySchema,
    response: { 200: revelationPageSchema },
  },
})

export const listRevelationsOfUser = defineEndpoint({
  method: 'GET',
  url: '/api/revelations/user/:id',
  schema: {
    summary: 'Own: everything; of somebody else: public and revealed only',
    tags,
    params: byId,
    querystring: listQuerySchema,
    response: { 200: revelationPageSchema },
  },
})

export const getRevelation = defineEndpoint({
  method: 'GET',
  url: '/api/revelations/:id',
  schema: {
    summary: 'One revelation: envelope, or envelope and letter for whoever may read it',
    tags,
    params: byId,
    response: { 200: oneRevelation },
  },
})

export const createRevelation = defineEndpoint({
  method: 'POST',
  url: '/api/revelations',
  schema: {
    summary: 'Seal a revelation',
    tags,
    body: createRevelationInputSchema,
    response: { 201: oneRevelation },
  },
})

export const editRevelation = defineEndpoint({
  method: 'PUT',
  url: '/api/revelations/:id',
  schema: {
    summary:
      'Seal a new version; frozen once revealed, but for a narrower audience and the category',
    tags,
    params: byId,
    body: editRevelationInputSchema,
    response: { 200: oneRevelation },
  },
})

export const deleteRevelation = defineEndpoint({
  method: 'DELETE',
  url: '/api/revelations/:id',
  schema: {
    summary: 'Withdraw a revelation: content, file and keys go at once',
    tags,
    params: byId,
    response: { 200: successSchema },
  },
})

export const recordView = defineEndpoint({
  method: 'POST',
  url: RECORD_VIEW_URL,
  schema: {
    summary: 'Count a view: once a day per viewer, never the author',
    tags,
    params: byId,
    response: { 200: z.object({ views_count: z.number() }) },
  },
})
