import * as z from 'zod/mini'
import { deliverySchema } from './deliveries.ts'
import { defineEndpoint } from './endpoint.ts'
import { failedJobSchema } from './jobs.ts'
import { KINDS } from './kinds.ts'
import { OUTCOME_FILTERS, predictionSchema } from './predictions.ts'
import { idSchema, instantSchema, successSchema } from './text.ts'

export const LIST_DEFAULT_LIMIT = 20
export const LIST_MAX_LIMIT = 100

/** From the widest audience to the narrowest. */
export const VISIBILITIES = ['public', 'friends', 'family', 'private'] as const
export type Visibility = (typeof VISIBILITIES)[number]

export const CATEGORIES = [
  'general',
  'love',
  'family',
  'personal',
  'work',
  'entertainment',
  'secrets',
  'surprises',
  'projects',
  'travel',
] as const
export type Category = (typeof CATEGORIES)[number]

export const FILE_TYPES = ['video', 'image', 'audio', 'document'] as const
export type FileType = (typeof FILE_TYPES)[number]

/** What a letter is written on, and with (behaviour.md 3.10): the first of each is what every plan has. */
export const PAPERS = ['wove', 'laid', 'kraft'] as const
export type Paper = (typeof PAPERS)[number]
export const INKS = ['black', 'blue'] as const
export type Ink = (typeof INKS)[number]

export interface Stationery {
  paper: Paper
  ink: Ink
}

const processingStatusSchema = z.enum(['none', 'processing', 'completed', 'failed'])

/** Somebody a revelation is for; whoever may not know the address receives it masked. */
export const recipientSchema = z.object({
  email: z.string(),
  name: z.nullable(z.string()),
})
export type Recipient = z.infer<typeof recipientSchema>

/** What can be seen of a sealed revelation, by whoever may know of it. */
export const envelopeSchema = z.object({
  id: z.string(),
  title: z.string(),
  author_id: z.string(),
  author_pseudo: z.string(),
  author_avatar: z.nullable(z.string()),
  /** Of the first recipient; to another one, their own; masked to everybody else. */
  target_email: z.string(),
  /** To the author and to this very recipient; null to everybody else. */
  target_name: z.nullable(z.string()),
  /** All of them to the author; to a recipient themselves, and the others if the author chose so; absent to everybody else. */
  recipients: z.optional(z.array(recipientSchema)),
  reveal_date: instantSchema,
  time_zone: z.string(),
  kind: z.enum(KINDS),
  category: z.enum(CATEGORIES),
  visibility: z.enum(VISIBILITIES),
  /** Since when it has been public without a break; null while it is not, or when nobody can tell (behaviour.md 3.2). */
  public_since: z.nullable(instantSchema),
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
  /** The reader's own opening (behaviour.md 4.6). */
  opening: z.object({
    /** They have one, and have not opened yet. */
    needed: z.boolean(),
    opened_at: z.nullable(instantSchema),
    /** The author is told of it, unless the reader refuses. */
    tells_author: z.boolean(),
  }),
  /** Of a prediction that is public and revealed. */
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

/** One file of a letter, in every variant that this reader may have. */
export const letterFileSchema = z.object({
  /** Of a picture as its author sent it, theirs alone; anybody else's is of its copy, null until that is rendered. */
  url: z.nullable(z.string()),
  /** Whether `url` has the bytes that were sealed: false of the copy of a picture, rendered or not. */
  is_sealed: z.boolean(),
  /** A lighter one; null until it is rendered. */
  mobile_url: z.nullable(z.string()),
  type: z.enum(FILE_TYPES),
  name: z.string(),
  size: z.number(),
  duration: z.nullable(z.number()),
  thumbnail: z.nullable(z.string()),
  /** Its author's words, sealed with the text (behaviour.md 3.4). */
  caption: z.nullable(z.string()),
})
export type LetterFile = z.infer<typeof letterFileSchema>

const letterFields = {
  content: z.string(),
  /** As `url` of `files`. */
  file_url: z.nullable(z.string()),
  /** As `is_sealed` of `files`; null without a file. */
  file_is_sealed: z.nullable(z.boolean()),
  file_mobile_url: z.nullable(z.string()),
  file_name: z.nullable(z.string()),
  file_size: z.nullable(z.number()),
  duration: z.nullable(z.number()),
  thumbnail_complete: z.nullable(z.string()),
  /** All files in their author's order, the one above first: of an album, and of a file with a caption; else absent. */
  files: z.optional(z.array(letterFileSchema)),
  /** What is said in the first film (WebVTT) or recording; absent in lists. */
  file_words: z.optional(z.nullable(z.string())),
  /** Plays as the seal breaks (behaviour.md 4.7). */
  seal_voice_url: z.nullable(z.string()),
  seal_voice_words: z.nullable(z.string()),
  /** Part of the letter: what it looks like is seen once it is open. */
  paper: z.enum(PAPERS),
  ink: z.enum(INKS),
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
  recipients_see_each_other: z.boolean(),
  /** To each of `recipients`, in their order; `delivery` is the first. */
  deliveries: z.array(deliverySchema),
  delivery: deliverySchema,
  /** Their words for the mails to an addressee; absent in lists. */
  announcement_note: z.optional(z.nullable(z.string())),
  opening_note: z.optional(z.nullable(z.string())),
  /** Hidden by the operator after a report: nobody else sees it, and it is not delivered. */
  is_suspended: z.boolean(),
})
export type OwnRevelation = z.infer<typeof ownRevelationSchema>

/** The widest shape that fits wins, so the letter's keys are absent wherever the server did not write them. */
export const revelationSchema = z.union([ownRevelationSchema, openRevelationSchema, envelopeSchema])
export type Revelation = z.infer<typeof revelationSchema>

/** Whether this viewer received the letter. */
export function isOpen(revelation: Revelation): revelation is OpenRevelation | OwnRevelation {
  return 'content' in revelation
}

/** Whether this viewer is its author. */
export function isOwn(revelation: Revelation): revelation is OwnRevelation {
  return 'delivery' in revelation
}

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
  kind: z.optional(z.enum(KINDS, 'Ce genre n’existe pas')),
  author: z.optional(idSchema),
  /** Predictions that are public and revealed only. */
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
  scope: 'read',
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
  scope: 'read',
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
  scope: 'read',
  schema: {
    summary: 'One revelation: envelope, or envelope and letter for whoever may read it',
    tags,
    params: byId,
    response: { 200: oneRevelation },
  },
})

export const openRevelation = defineEndpoint({
  method: 'POST',
  url: '/api/revelations/:id/open',
  scope: 'write',
  schema: {
    summary:
      'Record that this reader broke the seal, once; `tell_author: false` tells the author nothing, ever',
    tags,
    params: byId,
    body: z.nullish(z.object({ tell_author: z.optional(z.boolean()) })),
    response: { 200: z.object({ opened_at: instantSchema }) },
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
  url: '/api/revelations/:id/view',
  scope: 'write',
  schema: {
    summary: 'Count a view: once a day per viewer, never the author',
    tags,
    params: byId,
    response: { 200: z.object({ views_count: z.number() }) },
  },
})
