import { parseLogKey } from '#contract/proofs/checkpoint.ts'
import { type FormerKey, openLogKeys } from '#contract/proofs/known-log.ts'

/** The name of the log that a key is for; it never changes. */
export function originOf(logKey: string): string {
  const name = parseLogKey(logKey)?.name
  if (name === undefined) throw new Error('The key of the log cannot be read')
  return name
}

/** What a key says of those before it; undefined when its statement is not signed as it should be. */
export function formerKeysOf({
  logKey,
  statement,
}: {
  logKey: string
  statement: string | null
}): readonly FormerKey[] | undefined {
  if (statement === null) return []
  const key = parseLogKey(logKey)
  return key && openLogKeys(statement, key)
}
