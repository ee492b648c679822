import { ERRORS, type ErrorBody, type ErrorCode } from '#contract/errors.ts'

interface AppErrorDetails {
  /** A sentence more exact than the code's own. */
  message?: string
  /** Field name to sentence. */
  fields?: Record<string, string>
  retryAfterSeconds?: number
  /** What this is about, if it is the caller's own. */
  id?: string
}

/** A failure that is safe to show to a person. Any other error is a bug and answers `unexpected`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly fields: Record<string, string> | undefined
  readonly retryAfterSeconds: number | undefined
  readonly id: string | undefined

  constructor(code: ErrorCode, details: AppErrorDetails = {}) {
    super(details.message ?? ERRORS[code].message)
    this.name = 'AppError'
    this.code = code
    this.status = ERRORS[code].status
    this.fields = details.fields
    this.retryAfterSeconds = details.retryAfterSeconds
    this.id = details.id
  }

  toBody(): ErrorBody {
    return {
      error: this.message,
      code: this.code,
      ...(this.fields ? { fields: this.fields } : {}),
      ...(this.id ? { id: this.id } : {}),
    }
  }
}

/** A refused field: the sentence is both the answer's error and the field's. */
export function fieldError(field: string, message: string): AppError {
  return new AppError('invalid_input', { message, fields: { [field]: message } })
}

export function notFound(): AppError {
  return new AppError('not_found')
}
