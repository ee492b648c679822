import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { MAIL_PREFERENCES } from './subscriptions.ts'
import { successSchema } from './text.ts'

/** The sealed token of a mail’s footer. */
export const mailToken = z
  .string('Ce lien n’est pas valide')
  .check(z.minLength(1, 'Ce lien n’est pas valide'), z.maxLength(2_000, 'Ce lien n’est pas valide'))

const tags = ['mails'] as const

/**
 * What a mail’s footer may stop: every mail from others to this address, one kind of notification, or the two kinds
 * (comments and reactions) that share one mail of activity.
 */
export const STOPPABLE = ['everything', 'activity', ...MAIL_PREFERENCES] as const

export const mailLinkSchema = z.object({
  /** Masked: the reader of a forwarded mail learns no address. */
  address: z.string(),
  stops: z.enum(STOPPABLE),
  is_stopped: z.boolean(),
  /** Whether the mail is about something that may be reported. */
  can_report: z.boolean(),
})
export type MailLink = z.infer<typeof mailLinkSchema>

export const readMailLink = defineEndpoint({
  method: 'POST',
  url: '/api/email/link',
  schema: {
    summary: 'What the link in a mail’s footer is about; changes nothing',
    tags,
    body: z.object({ token: mailToken }),
    response: { 200: mailLinkSchema },
  },
})

/** One click (RFC 8058): the mail program posts, without a session; its form body is ignored. */
export const unsubscribe = defineEndpoint({
  method: 'POST',
  url: '/api/email/unsubscribe',
  schema: {
    summary: 'Stop the mails this link is about',
    tags,
    querystring: z.object({ token: mailToken }),
    response: { 200: successSchema },
  },
})

export const resubscribe = defineEndpoint({
  method: 'POST',
  url: '/api/email/resubscribe',
  schema: {
    summary: 'Take the mails this link is about again',
    tags,
    body: z.object({ token: mailToken }),
    response: { 200: successSchema },
  },
})
