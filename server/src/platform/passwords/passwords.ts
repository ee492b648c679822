import { hash, verify } from '@node-rs/argon2'
import { AppError } from '#server/errors.ts'
import { createKeyedSemaphore } from '#server/platform/keyed-semaphore.ts'

// Half of libuv's four threads, so that reads of files (/api/health) never wait for a password. 64 MiB each.
const AT_ONCE = 2
/** About a second of work on two cores: beyond it, callers are refused at once instead of late. */
const WAITING_MAX = 16
/** More slots for callers that are known: strangers cannot occupy all of them. */
const WAITING_MAX_OF_KNOWN = 16
const BUSY_FOR_SECONDS = 2
const PARAMETERS = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

const withSlot = createKeyedSemaphore(AT_ONCE)
let queued = 0
/** The number of queued hashes by the key of each share. */
const queuedByKey = new Map<string, number>()

/** The caller: somebody with a session, a link or a network of the account, or anybody. */
export interface Caller {
  isKnown: boolean
  /** The shares of the queue that this caller counts for. */
  shares: readonly Share[]
}

/** Callers with the same key may have at most `max` hashes in the queue, waiting or running. */
export interface Share {
  key: string
  max: number
}

/** Runs one hash in the queue of this process; `busy` when the queue, or a share of it, is full. */
async function withQueue<T>({ isKnown, shares }: Caller, work: () => Promise<T>): Promise<T> {
  const isFull = queued >= AT_ONCE + WAITING_MAX + (isKnown ? WAITING_MAX_OF_KNOWN : 0)
  if (isFull || shares.some(({ key, max }) => (queuedByKey.get(key) ?? 0) >= max)) {
    throw new AppError('busy', { retryAfterSeconds: BUSY_FOR_SECONDS })
  }
  queued += 1
  for (const { key } of shares) queuedByKey.set(key, (queuedByKey.get(key) ?? 0) + 1)
  try {
    return await withSlot('passwords', work)
  } finally {
    queued -= 1
    for (const { key } of shares) release(key)
  }
}

function release(key: string): void {
  const count = (queuedByKey.get(key) ?? 0) - 1
  if (count > 0) queuedByKey.set(key, count)
  else queuedByKey.delete(key)
}

/** Argon2id in its PHC form; `busy`. */
export function hashPassword(password: string, caller: Caller): Promise<string> {
  return withQueue(caller, () => hash(password.normalize('NFC'), PARAMETERS))
}

const { memoryCost, timeCost, parallelism } = PARAMETERS
/** Costs as much as any other hash, and belongs to no known password. */
const HASH_OF_NOBODY = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Whether the password is right; `busy`. Without a hash (no such account) it is false after the same time. */
export async function isPasswordRight(
  passwordHash: string | undefined,
  password: string,
  caller: Caller,
): Promise<boolean> {
  const against = passwordHash ?? HASH_OF_NOBODY
  const isRight = await withQueue(caller, () => verify(against, password.normalize('NFC')))
  return isRight && passwordHash !== undefined
}
