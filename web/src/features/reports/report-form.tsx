import { type FormEvent, useEffect, useRef, useState } from 'react'
import { REPORT_MESSAGE_MAX_LENGTH, REPORT_REASONS, type ReportReason } from '#contract/reports.ts'
import { firstInvalidOf } from '#web/features/revelations/revelation-draft.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { ChoiceTiles } from '#web/ui/choice-tiles.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { type ReportDraft, reportDraftSchema } from './reports.queries.ts'

const REASON_LABELS: Record<ReportReason, string> = {
  illegal: 'Contenu illégal',
  harassment: 'Harcèlement ou menaces',
  privacy: 'Atteinte à la vie privée',
  minor: 'Un mineur est en danger',
  impersonation: 'Usurpation d’identité',
  spam: 'Publicité indésirable ou arnaque',
  other: 'Autre raison',
}

const CHOICES = REPORT_REASONS.map((value) => ({ value, label: REASON_LABELS[value] }))

interface ReportFormProps {
  /** The id of the form, for a submit button outside of it. */
  id: string
  /** Whether a visitor may leave an address. */
  hasAddressField: boolean
  /** Why the last attempt failed. */
  error: Error | null
  onReport: (draft: ReportDraft) => void
}

export function ReportForm({ id, hasAddressField, error, onReport }: ReportFormProps) {
  const [reason, setReason] = useState<ReportReason>()
  const [message, setMessage] = useState('')
  const [email, setEmail] = useState('')
  const [refused, setRefused] = useState<Record<string, string>>({})
  const errors = { ...(error instanceof ApiError && error.fields), ...refused }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    const isRefused = Object.keys(refused).length > 0 || error instanceof ApiError
    if (isRefused) firstInvalidOf(form.current)?.focus()
  }, [refused, error])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const draft = {
      reason,
      ...(message.trim() && { message }),
      ...(email.trim() && { email }),
    }
    const checked = reportDraftSchema.safeParse(draft)
    setRefused(checked.success ? {} : sentences(checked.error.issues))
    if (checked.success) onReport(checked.data)
  }
  return (
    <form ref={form} id={id} noValidate className="flex flex-col gap-5" onSubmit={submit}>
      <ChoiceTiles
        legend="Pourquoi&nbsp;?"
        name="reason"
        choices={CHOICES}
        value={reason}
        onChange={setReason}
        error={errors.reason}
      />
      <TextArea
        label="Ce que l’équipe doit savoir"
        optional
        rows={3}
        limit={REPORT_MESSAGE_MAX_LENGTH}
        length={message.length}
        value={message}
        error={errors.message}
        onChange={(event) => setMessage(event.target.value)}
      />
      {hasAddressField && (
        <TextField
          label="Votre email"
          hint="Pour vous dire ce qui a été décidé. Il est oublié aussitôt après."
          optional
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          value={email}
          error={errors.email}
          onChange={(event) => setEmail(event.target.value)}
        />
      )}
      {error && !errors.reason && !errors.message && !errors.email && (
        <Notice tone="error">
          {errorSentence(error, 'Le signalement n’a pas pu être envoyé. Réessayez.')}
        </Notice>
      )}
    </form>
  )
}

interface Issue {
  path: PropertyKey[]
  message: string
}

function sentences(issues: readonly Issue[]): Record<string, string> {
  return Object.fromEntries(issues.map(({ path, message }) => [String(path[0]), message]))
}
