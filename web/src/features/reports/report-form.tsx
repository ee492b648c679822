import type { UseMutationResult } from '@tanstack/react-query'
import * as z from 'zod/mini'
import { REPORT_MESSAGE_MAX_LENGTH, REPORT_REASONS, type ReportReason } from '#contract/reports.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { useApiForm } from '#web/lib/forms.ts'
import { FormChoiceTiles, FormTextArea } from '#web/ui/form-controls.tsx'
import { Notice } from '#web/ui/notice.tsx'
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

/** What is left empty is not said at all. */
const formSchema = z.pipe(
  z.pipe(
    z.object({
      reason: z.optional(z.enum(REPORT_REASONS)),
      message: z.string(),
      email: z.string(),
    }),
    z.transform(({ reason, message, email }) => ({
      reason,
      ...(message.trim() && { message }),
      ...(email.trim() && { email }),
    })),
  ),
  reportDraftSchema,
)

interface ReportFormProps {
  /** The id of the form, for a submit button outside of it. */
  id: string
  /** Whether a visitor may leave an address. */
  hasAddressField: boolean
  report: Pick<UseMutationResult<unknown, Error, ReportDraft>, 'mutate' | 'isPending' | 'error'>
}

export function ReportForm({ id, hasAddressField, report }: ReportFormProps) {
  const { form, field, submit, error } = useApiForm({
    schema: formSchema,
    mode: 'onSubmit',
    defaultValues: { reason: undefined, message: '', email: '' },
    mutation: report,
    inputOf: (draft) => draft,
    fields: ['reason', 'message', 'email'],
  })
  return (
    <form id={id} noValidate className="flex flex-col gap-5" onSubmit={submit}>
      <FormChoiceTiles form={form} name="reason" legend="Pourquoi&#8239;?" choices={CHOICES} />
      <FormTextArea
        form={form}
        name="message"
        label="Ce que l’équipe doit savoir"
        optional
        rows={3}
        limit={REPORT_MESSAGE_MAX_LENGTH}
      />
      {hasAddressField && (
        <TextField
          label="Votre e-mail"
          hint="Pour vous dire ce qui a été décidé. Il est oublié aussitôt après."
          optional
          type="email"
          inputMode="email"
          autoComplete="email"
          autoCapitalize="none"
          {...field('email')}
        />
      )}
      {error && (
        <Notice tone="error">
          {errorSentence(error, 'Le signalement n’a pas pu être envoyé. Réessayez.')}
        </Notice>
      )}
    </form>
  )
}
