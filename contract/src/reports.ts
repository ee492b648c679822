import * as z from 'zod/mini'
import { defineEndpoint } from './endpoint.ts'
import { mailToken } from './mail-links.ts'
import { emailAddress, idSchema, successSchema, typedText } from './text.ts'

export const REPORT_TARGETS = ['revelation', 'comment', 'profile', 'reply'] as const
export const REPORT_REASONS = [
  'illegal',
  'harassment',
  'privacy',
  'minor',
  'impersonation',
  'spam',
  'other',
] as const
export type ReportReason = (typeof REPORT_REASONS)[number]
export const REPORT_MESSAGE_MAX_LENGTH = 1_000

const reason = z.enum(REPORT_REASONS, 'Choisissez la raison de ce signalement')
const message = z.optional(
  typedText({
    max: {
      length: REPORT_MESSAGE_MAX_LENGTH,
      message: 'Votre message ne peut pas dépasser 1\u00A0000 caractères',
    },
  }),
)

export const reportInputSchema = z.object({
  target: z.enum(REPORT_TARGETS, 'Ce qui est signalé n’existe pas'),
  target_id: idSchema,
  reason,
  message,
  /** Where to tell a visitor what became of it; whoever is signed in is told at their own address. */
  email: z.optional(emailAddress('Email requis')),
})
export type ReportInput = z.infer<typeof reportInputSchema>

const tags = ['reports'] as const

export const createReport = defineEndpoint({
  method: 'POST',
  url: '/api/reports',
  createsOnce: true,
  schema: {
    summary: 'Report what one sees: a revelation, a comment, a profile, a reply to one’s letter',
    tags,
    body: reportInputSchema,
    response: { 201: successSchema },
  },
})

export const createMailReport = defineEndpoint({
  method: 'POST',
  url: '/api/reports/mail',
  schema: {
    summary: 'Report a mail through the link in its footer, without an account',
    tags,
    body: z.object({
      token: mailToken,
      reason,
      message,
    }),
    response: { 201: successSchema },
  },
})
