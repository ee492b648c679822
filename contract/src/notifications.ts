import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { listQuerySchema } from './revelations.ts'
import { idSchema, instantSchema } from './text.ts'

/* What happened to me, on a page of its own (behaviour.md 5.8). */

export const NOTIFICATION_KINDS = [
  /** A letter for me is open, and waits for my hand. */
  'letter_waiting',
  /** A letter for me was announced. */
  'letter_announced',
  /** A private answer to a letter of mine, or its author’s answer back. */
  'reply',
  'comment',
  'reaction',
  'request',
  'request_accepted',
  /** A revelation of mine, or of my friends and family, is open. */
  'revealed',
  'delivery_failed',
  /** A letter of mine left days ago, and of its opening nothing is known. */
  'unopened',
  /** The operator hid or restored something of mine. */
  'moderation',
] as const
export type NotificationKind = (typeof NOTIFICATION_KINDS)[number]

/** Those that reach a browser until an account chooses: what waits for somebody’s hand, and what went wrong. */
export const PUSHED_AT_FIRST: readonly NotificationKind[] = [
  'letter_waiting',
  'letter_announced',
  'reply',
  'request',
  'revealed',
  'delivery_failed',
]

/** Counted no further, so that ten thousand cost as much as a few: a page shows « 50+ » from here on. */
export const UNREAD_MAX = 50

/** Made in time, so that things of one instant are listed as they came. */
export const notificationIdSchema = z
  .uuid({ version: 'v7', error: 'Identifiant invalide' })
  .check(z.toLowerCase())

export const notificationSchema = z.object({
  id: z.string(),
  kind: z.enum(NOTIFICATION_KINDS),
  /** A whole sentence, without anything of a letter. */
  text: z.string(),
  /** The page it leads to, on this site. */
  url: z.string(),
  revelation_id: z.nullable(z.string()),
  /** The latest person of it. */
  actor: z.nullable(
    z.object({ id: z.string(), pseudo: z.string(), avatar_url: z.nullable(z.string()) }),
  ),
  /** How many are grouped in it. */
  count: z.number(),
  created_at: instantSchema,
  read_at: z.nullable(instantSchema),
})
export type Notification = z.infer<typeof notificationSchema>

export const notificationPageSchema = z.object({
  notifications: z.array(notificationSchema),
  next_cursor: z.nullable(z.string()),
  /** At most `UNREAD_MAX`, which is « as many or more ». */
  unread: z.number(),
})
export type NotificationPage = z.infer<typeof notificationPageSchema>

const switchesSchema = z.record(z.enum(NOTIFICATION_KINDS), z.boolean('Choisissez oui ou non'))
/** Which kinds show on the page and which as a push; mails have switches of their own. */
export const notificationSwitchesSchema = z.object({ page: switchesSchema, push: switchesSchema })
export type NotificationSwitches = z.infer<typeof notificationSwitchesSchema>

const tags = ['notifications'] as const

export const listNotifications = defineEndpoint({
  method: 'GET',
  url: '/api/notifications',
  scope: 'read',
  schema: {
    summary: 'What happened to me, the latest first, as the gate lets me see it now',
    tags,
    querystring: z.object({
      cursor: listQuerySchema.shape.cursor,
      limit: listQuerySchema.shape.limit,
    }),
    response: { 200: notificationPageSchema },
  },
})

const CHOOSE = 'Dites lesquelles sont lues'
export const READ_AT_ONCE_MAX = 100

export const readNotifications = defineEndpoint({
  method: 'POST',
  url: '/api/notifications/read',
  scope: 'write',
  schema: {
    summary: 'These are read, or all of them; or all that is about one revelation',
    tags,
    body: z.union(
      [
        z.object({
          ids: z.array(notificationIdSchema).check(z.maxLength(READ_AT_ONCE_MAX, CHOOSE)),
        }),
        z.object({ all: z.literal(true) }),
        z.object({ revelation_id: idSchema }),
      ],
      CHOOSE,
    ),
    response: { 200: z.object({ unread: z.number() }) },
  },
})

export const getNotificationSwitches = defineEndpoint({
  method: 'GET',
  url: '/api/notifications/switches',
  schema: {
    summary: 'Which kinds show on the page, and which as a push',
    tags,
    response: { 200: notificationSwitchesSchema },
  },
})

const someSwitchesSchema = z.optional(
  z.partialRecord(z.enum(NOTIFICATION_KINDS), z.boolean('Choisissez oui ou non')),
)

export const saveNotificationSwitches = defineEndpoint({
  method: 'PUT',
  url: '/api/notifications/switches',
  schema: {
    summary: 'Choose them; what is absent stays as it is',
    tags,
    body: z.object({ page: someSwitchesSchema, push: someSwitchesSchema }),
    response: { 200: notificationSwitchesSchema },
  },
})
