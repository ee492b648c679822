import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { idSchema, instantSchema, successSchema, typedText } from './text.ts'

export const RELATIONSHIP_TYPES = ['friend', 'family'] as const
export type RelationshipType = (typeof RELATIONSHIP_TYPES)[number]
export const REQUEST_MESSAGE_MAX_LENGTH = 300

/** A related person, or the sender of a request one received: their address is visible (behaviour.md 2.5). */
const relatedPersonSchema = z.object({
  id: z.string(),
  pseudo: z.string(),
  /** Null until it is proved to be theirs. */
  email: z.nullable(z.string()),
  email_verified: z.boolean(),
  avatar_url: z.nullable(z.string()),
})
/** The receiver of a request one sent, or a blocked person: nothing is confirmed about their address. */
const personSchema = z.object({
  id: z.string(),
  pseudo: z.string(),
  avatar_url: z.nullable(z.string()),
})

export const relationshipSchema = z.object({
  id: z.string(),
  user_id: z.string(),
  related_user_id: z.string(),
  related_pseudo: z.string(),
  related_user: relatedPersonSchema,
  relationship_type: z.enum(RELATIONSHIP_TYPES),
  status: z.literal('accepted'),
  created_at: instantSchema,
})
export type Relationship = z.infer<typeof relationshipSchema>

const requestFields = {
  id: z.string(),
  sender_id: z.string(),
  receiver_id: z.string(),
  type: z.enum(RELATIONSHIP_TYPES),
  status: z.enum(['pending', 'accepted', 'declined']),
  message: z.string(),
  created_at: instantSchema,
}
export const receivedRequestSchema = z.object({ ...requestFields, sender: relatedPersonSchema })
export type ReceivedRequest = z.infer<typeof receivedRequestSchema>
export const sentRequestSchema = z.object({ ...requestFields, receiver: personSchema })
export type SentRequest = z.infer<typeof sentRequestSchema>

/** The second confirmation before a person without a proved address becomes family (`unverified_sender`). */
const confirmSchema = z.optional(z.boolean('Confirmez la demande'))

export const requestInputSchema = z.object({
  receiver_id: idSchema,
  type: z.enum(RELATIONSHIP_TYPES, 'Choisissez Ami ou Famille'),
  message: z.optional(
    typedText({
      max: {
        length: REQUEST_MESSAGE_MAX_LENGTH,
        message: 'Le message ne peut pas dépasser 300 caractères',
      },
    }),
  ),
  confirm: confirmSchema,
})
export type RequestInput = z.infer<typeof requestInputSchema>

const requestAnswerSchema = z.object({
  action: z.enum(['accept', 'decline'], 'Acceptez ou refusez la demande'),
  confirm: confirmSchema,
})
export type RequestAnswer = z.infer<typeof requestAnswerSchema>

const byId = z.object({ id: idSchema })
const byUser = z.object({ userId: idSchema })
const tags = ['relationships'] as const

export const listRelationships = defineEndpoint({
  method: 'GET',
  url: '/api/relationships',
  schema: {
    summary: 'My friends and family',
    tags,
    response: { 200: z.object({ relationships: z.array(relationshipSchema) }) },
  },
})

export const listRequests = defineEndpoint({
  method: 'GET',
  url: '/api/relationships/requests',
  schema: {
    summary: 'Requests that wait: those I received and those I sent',
    tags,
    response: {
      200: z.object({
        requests: z.array(receivedRequestSchema),
        sent: z.array(sentRequestSchema),
      }),
    },
  },
})

export const requestRelationship = defineEndpoint({
  method: 'POST',
  url: '/api/relationships/request',
  createsOnce: true,
  schema: {
    summary: 'Ask somebody; when they already asked me, we are related at once',
    tags,
    body: requestInputSchema,
    response: {
      201: z.object({ request: sentRequestSchema, relationship: z.optional(relationshipSchema) }),
    },
  },
})

export const answerRequest = defineEndpoint({
  method: 'PUT',
  url: '/api/relationships/request/:id',
  schema: {
    summary: 'Accept or decline a request I received',
    tags,
    params: byId,
    body: requestAnswerSchema,
    response: {
      200: z.object({
        request: receivedRequestSchema,
        relationship: z.optional(relationshipSchema),
      }),
    },
  },
})

export const withdrawRequest = defineEndpoint({
  method: 'DELETE',
  url: '/api/relationships/request/:id',
  schema: {
    summary: 'Withdraw a request I sent',
    tags,
    params: byId,
    response: { 200: successSchema },
  },
})

export const endRelationship = defineEndpoint({
  method: 'DELETE',
  url: '/api/relationships/:id',
  schema: {
    summary: 'End a relationship, for both',
    tags,
    params: byId,
    response: { 200: successSchema },
  },
})

export const listBlocks = defineEndpoint({
  method: 'GET',
  url: '/api/relationships/blocks',
  schema: {
    summary: 'Whom I blocked',
    tags,
    response: {
      200: z.object({
        blocks: z.array(z.extend(personSchema, { created_at: instantSchema })),
      }),
    },
  },
})

export const blockPerson = defineEndpoint({
  method: 'PUT',
  url: '/api/relationships/blocks/:userId',
  schema: {
    summary: 'Block somebody: ends what ties us, hides each from the other',
    tags,
    params: byUser,
    response: { 200: successSchema },
  },
})

export const unblockPerson = defineEndpoint({
  method: 'DELETE',
  url: '/api/relationships/blocks/:userId',
  schema: {
    summary: 'Unblock somebody; what tied us does not come back',
    tags,
    params: byUser,
    response: { 200: successSchema },
  },
})
