import type { BaseSyntheticEvent } from 'react'
import type { FieldErrors, Resolver, UseFormReturn } from 'react-hook-form'
import * as z from 'zod/mini'
import {
  CATEGORIES,
  type OwnRevelation,
  VISIBILITIES,
  type Visibility,
} from '#contract/revelations.ts'
import { createRevelationInputSchema } from '#contract/sealing.ts'
import { dayAt, timeAt } from '#contract/zoned-time.ts'
import { ApiError } from '#web/lib/api-client.ts'
import { dayFromNow, type MomentRule, revealDateOf, validateMoment } from './reveal-moment.ts'

/** The values of the form, under the names of the wire where it has them. */
export const revelationDraftSchema = z.object({
  title: z.string(),
  content: z.string(),
  target_email: z.string(),
  // Drafts stored before there were two addresses have one.
  second_email: z._default(z.string(), ''),
  day: z.string(),
  time: z.string(),
  category: z.enum(CATEGORIES),
  visibility: z.enum(VISIBILITIES),
})
export type RevelationDraft = z.infer<typeof revelationDraftSchema>

/** The defaults of behaviour.md 3.1: public, general, tomorrow. */
export function emptyDraft(timeZone: string, visibility: Visibility = 'public'): RevelationDraft {
  return {
    title: '',
    content: '',
    target_email: '',
    second_email: '',
    day: dayFromNow(1, timeZone),
    time: '',
    category: 'general',
    visibility,
  }
}

export function draftOf(revelation: OwnRevelation): RevelationDraft {
  const { title, content, target_email, category, visibility, reveal_date, time_zone } = revelation
  const { second_delivery } = revelation
  const instant = new Date(reveal_date)
  const time = timeAt(instant, time_zone)
  return {
    title,
    content,
    target_email,
    second_email: second_delivery?.address ?? '',
    day: dayAt(instant, time_zone),
    time: time === '00:00' ? '' : time,
    category,
    visibility,
  }
}

export function inputOf(draft: RevelationDraft, timeZone: string) {
  const { title, content, target_email, second_email, category, visibility } = draft
  return {
    title,
    content,
    target_email,
    second_email: second_email.trim() || null,
    reveal_date: draft.day && revealDateOf(draft, timeZone),
    time_zone: timeZone,
    category,
    visibility,
    is_private: visibility === 'private',
  }
}

/** The field of the form for a name of the wire. */
function fieldOf(name: string): keyof RevelationDraft | undefined {
  if (name === 'reveal_date' || name === 'time_zone') return 'day'
  return name in revelationDraftSchema.shape ? (name as keyof RevelationDraft) : undefined
}

const SAME_ADDRESS = 'Cette adresse est déjà celle du destinataire'

/** Whether two spellings are one address; two empty ones are not. */
export function isSameAddress(one: string, other: string): boolean {
  return one.trim() !== '' && one.trim().toLowerCase() === other.trim().toLowerCase()
}

/** Validates the form with the schema of the server, and the day with the rule of the page. */
export function draftResolver(timeZone: string, rule: MomentRule): Resolver<RevelationDraft> {
  return (draft) => {
    const errors: FieldErrors<RevelationDraft> = {}
    const checked = createRevelationInputSchema.safeParse(inputOf(draft, timeZone))
    for (const { path, message } of checked.error?.issues ?? []) {
      const field = fieldOf(String(path[0]))
      if (field) errors[field] ??= { type: 'invalid', message }
    }
    if (isSameAddress(draft.second_email, draft.target_email)) {
      errors.second_email ??= { type: 'invalid', message: SAME_ADDRESS }
    }
    const refusal = validateMoment(draft, timeZone, rule)
    if (refusal) errors.day ??= { type: 'invalid', message: refusal }
    return Object.keys(errors).length > 0 ? { values: {}, errors } : { values: draft, errors: {} }
  }
}

/** Shows the refusals of the server beside their fields; false when no field is concerned. */
export function showFieldErrors(error: unknown, form: UseFormReturn<RevelationDraft>): boolean {
  const refusals = error instanceof ApiError ? Object.entries(error.fields) : []
  let isOfField = false
  if (isRecipientQuotaError(error)) {
    const field = form.getValues('second_email').trim() ? 'second_email' : 'target_email'
    form.setError(field, { type: error.code, message: error.message })
    isOfField = true
  }
  for (const [name, message] of refusals) {
    const field = fieldOf(name)
    if (field) form.setError(field, { type: 'server', message })
    isOfField ||= field !== undefined
  }
  return isOfField
}

/** Focuses the first invalid control, in reading order. */
export function goToFirstInvalid(_errors: unknown, event?: BaseSyntheticEvent): void {
  const form: unknown = event?.target
  // `aria-invalid` is set once the errors are rendered.
  requestAnimationFrame(() => {
    if (form instanceof HTMLFormElement) firstInvalidOf(form)?.focus()
  })
}

/** The first invalid control, once the errors are rendered. */
export function firstInvalidOf(form: HTMLFormElement | null): HTMLElement | null | undefined {
  return form?.querySelector<HTMLElement>(':is(input, textarea, button)[aria-invalid]')
}

/** The refusal of the file or of its teaser. */
export function fileError(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { file_url, file_type, teaser_end, teaser_start } = error.fields
  return file_url ?? file_type ?? teaser_end ?? teaser_start
}

/** Whether the server refuses one more recipient today. */
export function isRecipientQuotaError(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'too_many_addressees'
}
