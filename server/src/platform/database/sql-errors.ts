const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
const DEADLOCK = '40P01'
const QUERY_CANCELED = '57014'

export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, UNIQUE_VIOLATION)
}

/** What a row refers to is gone. */
export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error, FOREIGN_KEY_VIOLATION)
}

/** The row that something refers to is the one with this id, which is gone. */
export function isGone(error: unknown, table: string, id: string): boolean {
  if (!isForeignKeyViolation(error)) return false
  const { detail = '' } = error as { detail?: string }
  return detail.includes(`=(${id}) is not present in table "${table}"`)
}

/** Two transactions waited for each other, and this one was chosen to begin again. */
export function isDeadlock(error: unknown): boolean {
  return hasCode(error, DEADLOCK)
}

/** It took longer than `statement_timeout`. */
export function isTimeout(error: unknown): boolean {
  return hasCode(error, QUERY_CANCELED)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
