import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { idSchema, instantSchema, successSchema, typedText } from './text.ts'

export const COMMENT_MAX_LENGTH = 1000
/** In the quick panel of a card (behaviour.md 7.2). */
export const QUICK_COMMENT_MAX_LENGTH = 500
export const COMMENTS_PER_PAGE = 10

export const commentSchema = z.object({
  id: z.string(),
  revelation_id: z.string(),
  author_id: z.string(),
  author_pseudo: z.string(),
  author_avatar: z.nullable(z.string()),
  content: z.string(),
  created_at: instantSchema,
  can_delete: z.boolean(),
})
export type Comment = z.infer<typeof commentSchema>

export const commentInputSchema = z.object({
  revelation_id: idSchema,
  content: typedText({
    required: 'Le commentaire est vide',
    max: {
      length: COMMENT_MAX_LENGTH,
      message: 'Le commentaire ne peut pas dépasser 1\u00A0000 caractères',
    },
  }),
  /** Chosen by the sender: a request sent again writes nothing twice. */
  id: z.optional(idSchema),
})
export type CommentInput = z.infer<typeof commentInputSchema>

export const commentPageSchema = z.object({
  comments: z.array(commentSchema),
  total: z.number(),
  next_cursor: z.nullable(z.string()),
})
export type CommentPage = z.infer<typeof commentPageSchema>

const PAGE_SIZE = 'La taille de page va de 1 à 100'
const CURSOR = 'Ce repère de page n’est pas valide'
const tags = ['comments'] as const

export const listComments = defineEndpoint({
  method: 'GET',
  url: '/api/comments/:revelationId',
  scope: 'read',
  schema: {
    summary: 'The comments of a revelation, newest first',
    tags,
    params: z.object({ revelationId: idSchema }),
    querystring: z.object({
      cursor: z.optional(z.string(CURSOR).check(z.maxLength(500, CURSOR))),
      limit: z.optional(
        z.coerce
          .number(PAGE_SIZE)
          .check(z.int(PAGE_SIZE), z.gte(1, PAGE_SIZE), z.lte(100, PAGE_SIZE)),
      ),
    }),
    response: { 200: commentPageSchema },
  },
})

export const addComment = defineEndpoint({
  method: 'POST',
  url: '/api/comments',
  scope: 'write',
  createsOnce: true,
  schema: {
    summary: 'Comment on a revelation one may know of; sent again, it is the same comment',
    tags,
    body: commentInputSchema,
    response: { 201: z.object({ id: z.string(), comment: commentSchema }) },
  },
})

export const removeComment = defineEndpoint({
  method: 'DELETE',
  url: '/api/comments/:id',
  scope: 'write',
  schema: {
    summary: 'Remove a comment: one’s own, or any under one’s own revelation',
    tags,
    params: z.object({ id: idSchema }),
    response: { 200: successSchema },
  },
})
