import * as z from 'zod/mini'
import { reportInputSchema } from '#contract/reports.ts'

export const reportDraftSchema = z.pick(reportInputSchema, {
  reason: true,
  message: true,
  email: true,
})
export type ReportDraft = z.infer<typeof reportDraftSchema>
