const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
const DEADLOCK = '40P01'
const QUERY_CANCELED = '57014'

/** Of this constraint, or of any. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!hasCode(error, UNIQUE_VIOLATION)) return false
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint
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

/**
 * PostgreSQL cannot be reached, takes nobody in, took too long or chose another first: what was asked may be asked again in
 * a moment.
 */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return syscall === 'connect' || UNAVAILABLE.test(code) || CUT.test(error.message)
}

/** Connection failures and refusals, too many connections, a shutdown or start, timeouts and lost races; of the network. */
const UNAVAILABLE =
  /^(08...|53[023]00|57P0.|57014|55P03|40001|40P01|25P0[34]|ECONN\w+|EPIPE|ETIMEDOUT|EAI_AGAIN|E(HOST|NET)UNREACH|ENOTFOUND)$/
/** What the driver says of a connection that it has lost or could not have in time; it gives no code. */
const CUT =
  /^(Connection terminated|timeout expired|timeout exceeded when trying|Query read timeout|Client (has encountered|was closed)|Cannot use a pool after)/

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
