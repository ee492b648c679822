import { useMutation } from '@tanstack/react-query'
import { createMailReport, createReport, type ReportInput } from '#contract/reports.ts'
import { callApi } from '#web/lib/api-client.ts'
import { deliveryKeyHeaders } from '#web/lib/delivery-key.ts'
import type { ReportDraft } from './report-draft.ts'

/** What is reported, and the revelation through which it is seen, for whoever reads with a personal key. */
export interface Reported extends Pick<ReportInput, 'target' | 'target_id'> {
  /** « Signaler ce commentaire ». */
  title: string
  revelationId?: string
}

export function useReport({ target, target_id, revelationId }: Reported) {
  const headers = revelationId ? deliveryKeyHeaders(revelationId) : {}
  return useMutation({
    mutationFn: (draft: ReportDraft) =>
      callApi(createReport, { body: { target, target_id, ...draft } }, { headers }),
  })
}

export function useReportMail(token: string) {
  return useMutation({
    mutationFn: ({ reason, message }: ReportDraft) =>
      callApi(createMailReport, { body: { token, reason, message } }),
  })
}
