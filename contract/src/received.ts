import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import {
  envelopeSchema,
  listQuerySchema,
  openRevelationSchema,
  ownRevelationSchema,
  revelationSchema,
} from './revelations.ts'
import { timeZoneSchema } from './sealing.ts'
import { idSchema, instantSchema, successSchema } from './text.ts'

/* The letters that are addressed to me, or that I joined to my account by their personal link (behaviour.md 4.11). */

/** In the order of the list: open and not yet opened by my own hand, announced and still sealed, opened. */
export const RECEIVED_STATES = ['waiting', 'upcoming', 'opened'] as const
export type ReceivedState = (typeof RECEIVED_STATES)[number]

const receivedSchema = z.object({
  state: z.enum(RECEIVED_STATES),
  /** Since when it waits: its instant; of an upcoming one, when it was announced. */
  since: instantSchema,
  opened_at: z.nullable(instantSchema),
  /** My verified address, or a personal link I joined to my account. */
  source: z.enum(['address', 'link']),
  is_answered: z.boolean(),
})

const withReceived = { received: receivedSchema }
export const receivedRevelationSchema = z.union([
  z.extend(ownRevelationSchema, withReceived),
  z.extend(openRevelationSchema, withReceived),
  z.extend(envelopeSchema, withReceived),
])
export type ReceivedRevelation = z.infer<typeof receivedRevelationSchema>

export const receivedQuerySchema = z.object({
  state: z.optional(z.enum(['all', ...RECEIVED_STATES], 'Ce filtre n’existe pas')),
  q: listQuerySchema.shape.q,
  cursor: listQuerySchema.shape.cursor,
  limit: listQuerySchema.shape.limit,
})
export type ReceivedQuery = z.infer<typeof receivedQuerySchema>

export const receivedPageSchema = z.object({
  revelations: z.array(receivedRevelationSchema),
  next_cursor: z.nullable(z.string()),
  /** Of all that is received, whatever is searched. */
  counts: z.object({ waiting: z.number(), upcoming: z.number(), opened: z.number() }),
})
export type ReceivedPage = z.infer<typeof receivedPageSchema>

const tags = ['revelations'] as const

export const listReceived = defineEndpoint({
  method: 'GET',
  url: '/api/revelations/received',
  scope: 'read',
  schema: {
    summary: 'The letters I received: waiting first, then announced ones, then opened ones',
    tags,
    querystring: receivedQuerySchema,
    response: { 200: receivedPageSchema },
  },
})

/** With `X-Delivery-Key`; a dead key is 404. */
export const saveRevelation = defineEndpoint({
  method: 'POST',
  url: '/api/revelations/:id/save',
  scope: 'write',
  schema: {
    summary: 'Join the letter of a personal link to what I received, until its author revokes it',
    tags,
    params: z.object({ id: idSchema }),
    response: { 200: successSchema },
  },
})

/** Of this account’s own join; 404 where there is none. */
export const unsaveRevelation = defineEndpoint({
  method: 'DELETE',
  url: '/api/revelations/:id/save',
  scope: 'write',
  schema: {
    summary: 'Leave a letter that was joined by its personal link: the account no longer has it',
    tags,
    params: z.object({ id: idSchema }),
    response: { 200: successSchema },
  },
})

/** A letter of mine that opened, or one that I received and opened, on this day of an earlier year. */
export const anniversarySchema = z.object({
  revelation: revelationSchema,
  years: z.number(),
  side: z.enum(['sent', 'received']),
})
export type Anniversary = z.infer<typeof anniversarySchema>

export const listAnniversaries = defineEndpoint({
  method: 'GET',
  url: '/api/revelations/anniversaries',
  scope: 'read',
  schema: {
    summary:
      'What opened on this day of earlier years, for both ends; empty where it is switched off',
    tags,
    /** Whose day it is; Europe/Brussels by default. */
    querystring: z.object({ time_zone: z.optional(timeZoneSchema) }),
    response: { 200: z.object({ anniversaries: z.array(anniversarySchema) }) },
  },
})
