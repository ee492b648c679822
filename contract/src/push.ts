import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'

/**
 * What a notification says, sealed on its way for the browser alone, in the shape of Declarative Web Push: Safari shows it by
 * itself, elsewhere the service worker shows it as it is. It names nobody, and no letter: a locked screen shows it to whoever is near.
 */
export interface PushMessage {
  web_push: 8030
  notification: {
    title: string
    body: string
    lang: 'fr'
    /** The page it opens, on this site; a whole address. */
    navigate: string
    /** A later one with the same tag takes its place. */
    tag: string
    silent: boolean
  }
  /** How many notifications are unread, for the icon of the installed site; absent where nobody knows. */
  app_badge?: number
}

const UNREADABLE = 'Cet abonnement n’est pas lisible'
const base64url = (bytes: number) =>
  z
    .string(UNREADABLE)
    .check(z.regex(new RegExp(`^[\\w-]{${Math.ceil((bytes * 4) / 3)}}$`), UNREADABLE))

/** As `PushSubscription.toJSON()` writes it: where the browser is written to, its public key, and a secret of both. */
export const pushSubscriptionSchema = z.object({
  endpoint: z.string(UNREADABLE).check(z.maxLength(2_000, UNREADABLE)),
  keys: z.object({ p256dh: base64url(65), auth: base64url(16) }),
})
export type PushSubscriptionInput = z.infer<typeof pushSubscriptionSchema>

const tags = ['push'] as const
const subscribed = z.object({ subscribed: z.boolean() })

export const getPush = defineEndpoint({
  method: 'GET',
  url: '/api/push',
  schema: {
    summary: 'What a browser needs to subscribe, and whether this session is told what opens',
    tags,
    response: {
      200: z.object({
        /** VAPID (RFC 8292), base64url; null where the operator switched this off. */
        public_key: z.nullable(z.string()),
        subscribed: z.boolean(),
      }),
    },
  },
})

/** In place of what this session or this browser had; 400 `unknown_push_service` for any other address. */
export const savePushSubscription = defineEndpoint({
  method: 'PUT',
  url: '/api/push/subscription',
  schema: {
    summary: 'Tell this browser when a revelation opens, as long as this session lives',
    tags,
    body: pushSubscriptionSchema,
    response: { 200: subscribed },
  },
})

export const deletePushSubscription = defineEndpoint({
  method: 'DELETE',
  url: '/api/push/subscription',
  schema: {
    summary: 'No longer tell this browser',
    tags,
    response: { 200: subscribed },
  },
})

export const testPush = defineEndpoint({
  method: 'POST',
  url: '/api/push/test',
  schema: {
    summary: 'Send a trial notification to this browser',
    tags,
    response: { 200: z.object({ queued: z.boolean() }) },
  },
})
