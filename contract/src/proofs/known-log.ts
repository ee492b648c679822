import { type Bytes, base64Of, bytesOfBase64, HASH_SIZE, isSameBytes } from './bytes.ts'
import {
  formatLogKey,
  type LogKey,
  logKeyOf,
  openNote,
  parseLogKey,
  signNote,
  wholeNumberOf,
} from './checkpoint.ts'
import { isInstant } from './instant.ts'
import { publicKeyOf } from './signature.ts'

const STATEMENT = 'revelations.app/log-keys/v1'

/** A key that another replaced: it is believed for the log as it was then, and no further. */
export interface FormerKey {
  key: string
  /** The last checkpoint that it signed. */
  size: number
  root: Bytes
  replacedAt: string
}

/** The log that a verifier believes: nothing in a proof can add to it. */
export interface KnownLog {
  origin: string
  key: string
  /** In the order in which they were replaced. */
  former: readonly FormerKey[]
}

/**
 * The log of this key, as a verifier carries it. Undefined when the key is none, or when the statement is not signed by this
 * key and the last one before it (docs/proof.md, « Keys that were replaced »).
 */
export function knownLogOf(key: string, keysNote: string | null): KnownLog | undefined {
  const logKey = parseLogKey(key)
  if (!logKey) return undefined
  if (keysNote === null) return { origin: logKey.name, key, former: [] }
  const former = openLogKeys(keysNote, logKey)
  return former && { origin: logKey.name, key, former }
}

/**
 * Whether whoever believes one key of a log is led to its key of today: each key on the way signed the statement of the next,
 * and no statement tells the keys before otherwise (docs/proof.md, « Keys that were replaced »).
 */
export function leadsTo(
  pinned: string,
  { origin, key, former }: KnownLog,
  statements: readonly string[],
): boolean {
  if (pinned === key) return true
  const before = former.slice(0, -1)
  const last = former.at(-1)?.key
  if (last === undefined || last === pinned) return last === pinned
  const note = statements.find((one) => one.split('\n')[2] === `new ${last}`) ?? null
  const log = knownLogOf(last, note)
  return (
    log?.origin === origin && isSameHistory(log.former, before) && leadsTo(pinned, log, statements)
  )
}

function isSameHistory(one: readonly FormerKey[], other: readonly FormerKey[]): boolean {
  const lines = (former: readonly FormerKey[]) => former.map(lineOf).join('')
  return lines(one) === lines(other)
}

/** Whether it is the key of the log, or one before it. */
export function isKeyOf({ key, former }: KnownLog, candidate: string): boolean {
  return candidate === key || former.some((one) => one.key === candidate)
}

/** The statement of a new key about those before it, signed by it and by the last of them. Seeds are of 32 bytes. */
export function signLogKeys(
  seeds: { next: Bytes; last: Bytes },
  { origin, former }: { origin: string; former: readonly FormerKey[] },
): string {
  const key = formatLogKey(logKeyOf(origin, publicKeyOf(seeds.next)))
  const text = `${STATEMENT}\n${origin}\nnew ${key}\n${former.map(lineOf).join('')}`
  return signNote(text, origin, [seeds.next, seeds.last])
}

function lineOf({ key, size, root, replacedAt }: FormerKey): string {
  return `former ${key} ${size} ${base64Of(root)} ${replacedAt}\n`
}

/** The former keys of a statement, if it is about this key and signed by it and by the last of them. */
export function openLogKeys(note: string, key: LogKey): readonly FormerKey[] | undefined {
  const [kind, origin, current, ...lines] = note.slice(0, note.lastIndexOf('\n\n')).split('\n')
  if (kind !== STATEMENT || origin !== key.name || current !== `new ${formatLogKey(key)}`)
    return undefined
  const former = lines.flatMap((line) => readFormerKey(line, origin) ?? [])
  const last = parseLogKey(former.at(-1)?.key ?? '')
  if (!last || former.length !== lines.length || !isHistory(former, key)) return undefined
  return openNote(note, [key, last]) === undefined ? undefined : former
}

function readFormerKey(line: string, origin: string): FormerKey | undefined {
  const [word, key = '', digits = '', encoded = '', replacedAt = '', ...more] = line.split(' ')
  const size = wholeNumberOf(digits)
  const root = bytesOfBase64(encoded)
  if (word !== 'former' || more.length > 0 || parseLogKey(key)?.name !== origin) return undefined
  if (size === undefined || root?.length !== HASH_SIZE || !isInstant(replacedAt)) return undefined
  return { key, size, root, replacedAt }
}

/** No key twice, and a log that only grew from one to the next. */
function isHistory(former: readonly FormerKey[], current: LogKey): boolean {
  const keys = new Set([formatLogKey(current), ...former.map(({ key }) => key)])
  if (keys.size !== former.length + 1) return false
  return former.every((one, at) => {
    const before = former[at - 1]
    if (!before) return true
    const isSame = before.size < one.size || isSameBytes(before.root, one.root)
    return before.size <= one.size && isSame && before.replacedAt <= one.replacedAt
  })
}
