import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { idSchema, instantSchema, isSeen, successSchema, typedText } from './text.ts'

/* The private answers of the people a letter was addressed to (behaviour.md 4.9). */

export const REPLY_MAX_LENGTH = 1_000
export const REPLY_VOICE_MAX_SECONDS = 180
export const REPLY_VOICE_MAX_BYTES = 10 * 1024 * 1024
export const REPLY_VOICE_TOO_LONG = 'Cette voix est trop longue\u202F: trois minutes au plus'
export const REPLY_VOICE_TOO_HEAVY = 'Cette voix est trop lourde\u202F: 10\u00A0Mo au plus'
/** Per addressee and letter, whatever `RATE_LIMITS` says. */
export const REPLIES_PER_DAY = 5

/** What the author wrote back, once. */
const replyAnswerSchema = z.object({ content: z.string(), created_at: instantSchema })

export const replySchema = z.object({
  id: z.string(),
  from: z.object({
    pseudo: z.nullable(z.string()),
    name: z.nullable(z.string()),
    avatar_url: z.nullable(z.string()),
    /** The address the letter went to; to its author only. */
    address: z.nullable(z.string()),
  }),
  content: z.nullable(z.string()),
  emoji: z.nullable(z.string()),
  audio_url: z.nullable(z.string()),
  /** Seconds of `audio_url`. */
  duration: z.nullable(z.number()),
  created_at: instantSchema,
  /** When the author first saw it; null to its writer until then. */
  read_at: z.nullable(instantSchema),
  answer: z.nullable(replyAnswerSchema),
  can: z.object({ answer: z.boolean(), block: z.boolean(), report: z.boolean() }),
})
export type Reply = z.infer<typeof replySchema>

export const repliesSchema = z.object({
  /** The oldest first: all of them to the author, one’s own to an addressee. */
  replies: z.array(replySchema),
  /** False to the author, and to whoever the author blocked. */
  can_reply: z.boolean(),
  /** Whom the author takes no more replies from; empty to others. */
  blocks: z.array(z.object({ id: z.string(), address: z.string() })),
})
export type Replies = z.infer<typeof repliesSchema>

const EMOJI = 'Choisissez un seul emoji'

// The flag `v`, with `\p{RGI_Emoji}`, is younger than some browsers. What counts is more than one grapheme: letters and tags
// that hang on an emoji are one with it.
const PICTURE = '\\p{Extended_Pictographic}\\uFE0F?\\p{Emoji_Modifier}?'
const ONE_EMOJI = new RegExp(
  [
    `^(?:${PICTURE}(?:\\u200D${PICTURE})*`,
    '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]+\\u{E007F}',
    '\\p{Regional_Indicator}{2}',
    '[#*0-9]\\uFE0F?\\u20E3)$',
  ].join('|'),
  'u',
)

export const replyInputSchema = z
  .object({
    content: z.optional(
      z.nullable(
        typedText({
          max: {
            length: REPLY_MAX_LENGTH,
            message: 'Votre réponse ne peut pas dépasser 1\u00A0000 caractères',
          },
        }),
      ),
    ),
    emoji: z.optional(
      z.nullable(z.string(EMOJI).check(z.maxLength(64, EMOJI), z.regex(ONE_EMOJI, EMOJI))),
    ),
    /** The address of an uploaded voice. */
    file_url: z.optional(
      z.nullable(z.string('Fichier invalide').check(z.maxLength(2_000, 'Fichier invalide'))),
    ),
    /** Chosen by the sender: a request sent again writes nothing twice. */
    id: z.optional(idSchema),
  })
  .check(
    z.refine(
      ({ content, emoji, file_url }) => isSeen(content ?? '') || Boolean(emoji || file_url),
      {
        error: 'Écrivez un mot, choisissez un emoji ou enregistrez votre voix',
        path: ['content'],
      },
    ),
  )
export type ReplyInput = z.infer<typeof replyInputSchema>

const tags = ['replies'] as const
const letter = z.object({ id: idSchema })
const oneOfLetter = z.object({ id: idSchema, replyId: idSchema })

export const listReplies = defineEndpoint({
  method: 'GET',
  url: '/api/revelations/:id/replies',
  scope: 'read',
  schema: {
    summary: 'The private replies to a letter: all to its author, one’s own to an addressee',
    tags,
    params: letter,
    response: { 200: repliesSchema },
  },
})

export const addReply = defineEndpoint({
  method: 'POST',
  url: '/api/revelations/:id/replies',
  scope: 'write',
  createsOnce: true,
  schema: {
    summary: 'Reply to the author of a letter one received, with or without an account',
    tags,
    params: letter,
    body: replyInputSchema,
    response: { 201: z.object({ reply: replySchema }) },
  },
})

export const removeReply = defineEndpoint({
  method: 'DELETE',
  url: '/api/revelations/:id/replies/:replyId',
  schema: {
    summary: 'Delete a reply, as its writer or as the author of the letter',
    tags,
    params: oneOfLetter,
    response: { 200: successSchema },
  },
})

export const answerReply = defineEndpoint({
  method: 'POST',
  url: '/api/revelations/:id/replies/:replyId/answer',
  scope: 'write',
  createsOnce: true,
  schema: {
    summary: 'Write back to a reply, once, as the author of the letter',
    tags,
    params: oneOfLetter,
    body: z.object({
      content: typedText({
        required: 'Votre réponse est vide',
        max: {
          length: REPLY_MAX_LENGTH,
          message: 'Votre réponse ne peut pas dépasser 1\u00A0000 caractères',
        },
      }),
    }),
    response: { 201: z.object({ reply: replySchema }) },
  },
})

export const markRepliesRead = defineEndpoint({
  method: 'POST',
  url: '/api/revelations/:id/replies/read',
  scope: 'write',
  schema: {
    summary: 'Say that the author saw the replies to a letter',
    tags,
    params: letter,
    response: { 200: successSchema },
  },
})

export const blockReplies = defineEndpoint({
  method: 'POST',
  url: '/api/revelations/:id/replies/:replyId/block',
  schema: {
    summary: 'Take no more replies from the writer of this one, to any letter',
    tags,
    params: oneOfLetter,
    response: { 201: successSchema },
  },
})

export const unblockReplies = defineEndpoint({
  method: 'DELETE',
  url: '/api/replies/blocks/:blockId',
  schema: {
    summary: 'Take replies again from whom one had blocked',
    tags,
    params: z.object({ blockId: idSchema }),
    response: { 200: successSchema },
  },
})
