import { ApiError } from './api-client.ts'

/**
 * What a refusal says of these fields, in their order: field and sentence. `codes` names the field that a code is about
 * by itself.
 */
export function fieldErrorsOf<Name extends string>(
  error: unknown,
  names: readonly Name[],
  codes: Partial<Record<ApiError['code'], Name>> = {},
): [name: Name, message: string][] {
  if (!(error instanceof ApiError)) return []
  const ofCode = codes[error.code]
  if (ofCode) return [[ofCode, error.message]]
  return names.flatMap((name) => {
    const message = error.fields[name]
    return message ? [[name, message] as [Name, string]] : []
  })
}
