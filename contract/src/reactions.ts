import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { idSchema } from './text.ts'

/** The first four stand inline, the others behind « + » (behaviour.md 7.1). */
export const EMOJIS = ['❤️', '😍', '😲', '🎉', '🔥', '😮', '👍', '👎'] as const
export type Emoji = (typeof EMOJIS)[number]
export const INLINE_EMOJIS = EMOJIS.slice(0, 4)

/** How many pseudos a summary names before « et N autre(s) ». */
export const REACTOR_NAMES = 3

const emojiSchema = z.enum(EMOJIS, 'Cette réaction n’existe pas')

export const reactionsSchema = z.object({
  /** The newest first, at most a hundred; the summary counts them all. */
  reactions: z.array(
    z.object({
      revelation_id: z.string(),
      emoji: z.enum(EMOJIS),
      author_id: z.string(),
      author_pseudo: z.string(),
    }),
  ),
  /** One line per emoji somebody left, in the order of `EMOJIS`. */
  summary: z.array(
    z.object({
      emoji: z.enum(EMOJIS),
      count: z.number(),
      reacted: z.boolean(),
      pseudos: z.array(z.string()),
    }),
  ),
})
export type Reactions = z.infer<typeof reactionsSchema>

const ofRevelation = z.object({ revelationId: idSchema })
const tags = ['reactions'] as const

export const listReactions = defineEndpoint({
  method: 'GET',
  url: '/api/reactions/:revelationId',
  scope: 'read',
  schema: {
    summary: 'Who reacted how',
    tags,
    params: ofRevelation,
    response: { 200: reactionsSchema },
  },
})

export const addReaction = defineEndpoint({
  method: 'POST',
  url: '/api/reactions',
  scope: 'write',
  schema: {
    summary: 'Leave an emoji; once more changes nothing',
    tags,
    body: z.object({ revelation_id: idSchema, emoji: emojiSchema }),
    response: { 200: reactionsSchema },
  },
})

export const removeReactions = defineEndpoint({
  method: 'DELETE',
  url: '/api/reactions/:revelationId',
  scope: 'write',
  schema: {
    summary: 'Take back one of my emoji (in the query or the body), or all of them',
    tags,
    params: ofRevelation,
    querystring: z.object({ emoji: z.optional(emojiSchema) }),
    body: z.nullish(z.object({ emoji: z.optional(emojiSchema) })),
    response: { 200: reactionsSchema },
  },
})
