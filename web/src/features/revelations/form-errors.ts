import type { BaseSyntheticEvent } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { ApiError } from '#web/lib/api-client.ts'
import { isOutOfRoom } from './addressee-room.ts'
import { fieldOf, type RevelationDraft } from './revelation-draft.ts'

/** Shows beside each field what the server says of it. False when no field is concerned. */
export function showFieldErrors(error: unknown, form: UseFormReturn<RevelationDraft>): boolean {
  const said = error instanceof ApiError ? Object.entries(error.fields) : []
  let isOfField = false
  if (isOutOfRoom(error)) {
    const field = form.getValues('second_email').trim() ? 'second_email' : 'target_email'
    form.setError(field, { type: error.code, message: error.message })
    isOfField = true
  }
  for (const [name, message] of said) {
    const field = fieldOf(name)
    if (field) form.setError(field, { type: 'server', message })
    isOfField ||= field !== undefined
  }
  return isOfField
}

/** Goes to the first control that was refused, in the order one reads them. */
export function goToFirstInvalid(_errors: unknown, event?: BaseSyntheticEvent): void {
  const form: unknown = event?.target
  // The marks are there once the errors are rendered.
  requestAnimationFrame(() => {
    if (form instanceof HTMLFormElement) firstInvalidOf(form)?.focus()
  })
}

/** The first control that was refused, once its mark is rendered. */
export function firstInvalidOf(form: HTMLFormElement | null): HTMLElement | null | undefined {
  return form?.querySelector<HTMLElement>(':is(input, textarea, button)[aria-invalid]')
}

/** What the server says of the file or of its teaser. */
export function fileError(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { file_url, file_type, teaser_end, teaser_start } = error.fields
  return file_url ?? file_type ?? teaser_end ?? teaser_start
}
