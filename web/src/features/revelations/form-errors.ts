import type { UseFormReturn } from 'react-hook-form'
import { ApiError } from '#web/lib/api-client.ts'
import { fieldOf, type RevelationDraft } from './revelation-draft.ts'

/** Shows beside each field what the server says of it, and goes to the first. False when no field is concerned. */
export function showFieldErrors(error: unknown, form: UseFormReturn<RevelationDraft>): boolean {
  const said = error instanceof ApiError ? Object.entries(error.fields) : []
  let count = 0
  for (const [name, message] of said) {
    const field = fieldOf(name)
    if (!field) continue
    form.setError(field, { type: 'server', message }, { shouldFocus: count === 0 })
    count += 1
  }
  return count > 0
}

/** What the server says of the file or of its teaser. */
export function fileError(error: unknown): string | undefined {
  if (!(error instanceof ApiError)) return undefined
  const { file_url, file_type, teaser_end, teaser_start } = error.fields
  return file_url ?? file_type ?? teaser_end ?? teaser_start
}
