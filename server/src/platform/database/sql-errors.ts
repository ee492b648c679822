const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'
const DEADLOCK = '40P01'
const QUERY_CANCELED = '57014'
const NOT_SUPPORTED = '0A000'
const UNKNOWN_STATEMENT = '26000'
const KNOWN_STATEMENT = '42P05'

/** Whether a row breaks this unique constraint, or any. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  if (!hasCode(error, UNIQUE_VIOLATION)) return false
  return constraint === undefined || (error as { constraint?: string }).constraint === constraint
}

/** Whether a row refers to a row that does not exist. */
export function isForeignKeyViolation(error: unknown): boolean {
  return hasCode(error, FOREIGN_KEY_VIOLATION)
}

/** Whether the row that is referred to and missing is the one with this id. */
export function isGone(error: unknown, table: string, id: string): boolean {
  if (!isForeignKeyViolation(error)) return false
  const { detail = '' } = error as { detail?: string }
  return detail.includes(`=(${id}) is not present in table "${table}"`)
}

/** Whether PostgreSQL ended this transaction because two waited for each other. */
export function isDeadlock(error: unknown): boolean {
  return hasCode(error, DEADLOCK)
}

/** Whether a prepared statement would return other columns than when it was prepared. */
export function isOutdatedStatement(error: unknown): boolean {
  return hasCode(error, NOT_SUPPORTED) && (error as Error).message.startsWith('cached plan')
}

const NO_CONNECTION =
  /^(timeout exceeded when trying to connect|timeout expired|Connection terminated due to connection timeout)/

/** Whether no connection of a pool became free, or was made, in time. */
export function isPoolTimeout(error: unknown): boolean {
  return error instanceof Error && NO_CONNECTION.test(error.message)
}

/** Whether a statement exceeded `statement_timeout`. */
export function isTimeout(error: unknown): boolean {
  return hasCode(error, QUERY_CANCELED)
}

/** Whether PostgreSQL is unreachable, refuses connections, exceeded a limit or lost a race: a retry may succeed. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '', syscall } = error as NodeJS.ErrnoException
  return syscall === 'connect' || UNAVAILABLE.test(code) || CUT.test(error.message)
}

/** Connection failures and refusals, too many connections, a shutdown or start, timeouts and lost races; of the network. */
const UNAVAILABLE =
  /^(08...|53[023]00|57P0.|57014|55P03|40001|40P01|25P0[34]|ECONN\w+|EPIPE|ETIMEDOUT|EAI_AGAIN|E(HOST|NET)UNREACH|ENOTFOUND)$/
/** Messages of the driver, without a code, about a connection that it lost or could not open in time. */
const CUT =
  /^(Connection terminated|timeout expired|timeout exceeded when trying|Query read timeout|Client (has encountered|was closed)|Cannot use a pool after)/

/** Whether the connection is lost: what was sent on it may have been executed. */
export function isConnectionLost(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code = '' } = error as NodeJS.ErrnoException
  return LOST.test(code) || /^(Connection terminated|Client )/.test(error.message)
}

/** A shutdown, or an end of the network. */
const LOST = /^(08...|57P0.|ECONN\w+|EPIPE|ETIMEDOUT)$/

/** Whether the driver and PostgreSQL do not know of the same prepared statements. */
export function isStatementLost(error: unknown): boolean {
  return hasCode(error, UNKNOWN_STATEMENT) || hasCode(error, KNOWN_STATEMENT)
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
