import type { ReportReason } from '#contract/reports.ts'

export const REASON_WORDS: Record<ReportReason, string> = {
  illegal: 'Contenu illégal',
  harassment: 'Harcèlement ou menaces',
  privacy: 'Atteinte à la vie privée',
  minor: 'Un mineur est en danger',
  impersonation: 'Usurpation d’identité',
  spam: 'Publicité indésirable ou arnaque',
  other: 'Autre raison',
}
