import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { emailAddress, idSchema, instantSchema, typedText } from './text.ts'

/** The header that carries the personal key of a delivery mail (`#cle=` in its link). */
export const DELIVERY_KEY_HEADER = 'x-delivery-key'

/** The steps of a delivery’s journal, which its author reads (behaviour.md 5.2). */
export const DELIVERY_STEPS = [
  'planned',
  'notified',
  'sent',
  'delayed',
  'failed',
  'opened',
  'readdressed',
  'resent',
  'handed',
  'revoked',
  'suspended',
] as const
export type DeliveryStep = (typeof DELIVERY_STEPS)[number]

/** What an author calls a recipient. */
export const recipientNameSchema = z.optional(
  z.nullable(
    typedText({
      line: true,
      max: { length: 60, message: 'Le nom ne peut pas dépasser 60 caractères' },
    }),
  ),
)

/** To one of the people that a revelation is for. */
export const deliverySchema = z.object({
  id: z.string(),
  address: z.string(),
  /** As its author calls them. */
  name: z.nullable(z.string()),
  state: z.enum(['planned', 'sent', 'failed', 'opened']),
  due_at: instantSchema,
  sent_at: z.nullable(instantSchema),
  opened_at: z.nullable(instantSchema),
  error: z.nullable(z.string()),
  notified_at: z.nullable(instantSchema),
  revoked_at: z.nullable(instantSchema),
  handed_at: z.nullable(instantSchema),
  /** The oldest step first; `reason` is a sentence for the author. */
  journal: z.array(
    z.object({
      step: z.enum(DELIVERY_STEPS),
      at: instantSchema,
      reason: z.nullable(z.string()),
    }),
  ),
  can: z.object({
    resend: z.boolean(),
    readdress: z.boolean(),
    revoke: z.boolean(),
    hand: z.boolean(),
  }),
})
export type Delivery = z.infer<typeof deliverySchema>

const tags = ['deliveries'] as const
const byId = z.object({ id: idSchema })
const oneDelivery = z.object({ delivery: deliverySchema })

export const notifyRevelation = defineEndpoint({
  method: 'POST',
  url: '/api/email/notify-revelation',
  scope: 'write',
  schema: {
    summary: 'Tell each addressee now that something waits for them; once per address',
    tags,
    body: z.object({ revelationId: idSchema }),
    response: { 200: z.object({ queued: z.boolean() }) },
  },
})

/** Somebody an account wrote to, as it called them last. */
const recentRecipientSchema = z.object({
  email: z.string(),
  name: z.nullable(z.string()),
  last_at: instantSchema,
})
export type RecentRecipient = z.infer<typeof recentRecipientSchema>

export const listRecentRecipients = defineEndpoint({
  method: 'GET',
  url: '/api/deliveries/recent-recipients',
  scope: 'read',
  schema: {
    summary: 'Whom one wrote to lately, the latest first; oneself left out',
    tags,
    response: { 200: z.object({ people: z.array(recentRecipientSchema) }) },
  },
})

export const readdressDelivery = defineEndpoint({
  method: 'PUT',
  url: '/api/deliveries/:id',
  schema: {
    summary: 'Change where a revelation goes, as long as nothing says that it was read there',
    tags,
    params: byId,
    /** Without a name it stays: the address was of the same person. */
    body: z.object({
      address: emailAddress("L'email du destinataire est requis"),
      name: recipientNameSchema,
    }),
    response: { 200: oneDelivery },
  },
})

export const resendDelivery = defineEndpoint({
  method: 'POST',
  url: '/api/deliveries/:id/resend',
  schema: {
    summary: 'Send the personal link again, a new one if the former was revoked',
    tags,
    params: byId,
    response: { 200: oneDelivery },
  },
})

export const handDelivery = defineEndpoint({
  method: 'POST',
  url: '/api/deliveries/:id/link',
  schema: {
    summary:
      'The personal link, for the author to give by hand; it opens the letter at its instant',
    tags,
    params: byId,
    response: { 200: z.object({ delivery: deliverySchema, url: z.string() }) },
  },
})

export const revokeDelivery = defineEndpoint({
  method: 'POST',
  url: '/api/deliveries/:id/revoke',
  schema: {
    summary: 'Make the personal links that were sent or given by hand open nothing any more',
    tags,
    params: byId,
    response: { 200: oneDelivery },
  },
})
