import { useMutation } from '@tanstack/react-query'
import * as z from 'zod/mini'
import {
  createMailReport,
  createReport,
  type ReportInput,
  reportInputSchema,
} from '#contract/reports.ts'
import { callApi } from '#web/lib/api-client.ts'
import { callOnce } from '#web/lib/call-once.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'

/** What is reported, and the revelation whose personal key shows it. */
export interface Reported extends Pick<ReportInput, 'target' | 'target_id'> {
  /** « Signaler ce commentaire ». */
  title: string
  revelationId?: string
}

export function useReport({ target, target_id, revelationId }: Reported) {
  const headers = revelationId ? deliveryKeyHeaders(revelationId) : {}
  return useMutation({
    mutationFn: (draft: ReportDraft) =>
      callOnce(createReport, { body: { target, target_id, ...draft } }, { headers }),
  })
}

export function useReportMail(token: string) {
  return useMutation({
    mutationFn: ({ reason, message }: ReportDraft) =>
      callApi(createMailReport, { body: { token, reason, message } }),
  })
}

export const reportDraftSchema = z.pick(reportInputSchema, {
  reason: true,
  message: true,
  email: true,
})
export type ReportDraft = z.infer<typeof reportDraftSchema>
