import { hash, verify } from '@node-rs/argon2'
import { AppError } from '#server/errors.ts'
import { createKeyedSemaphore } from '#server/platform/keyed-semaphore.ts'

// Of libuv's four threads half are left to files, so that whatever reads one (/api/health) waits for no password. 64 MiB each.
const AT_ONCE = 2
/** About a second of work on two cores: whoever comes after so many is sent away at once rather than late. */
const WAITING_AT_MOST = 16
/** Places that only those have who proved something already: strangers cannot take all of them. */
const WAITING_KEPT = 16
const BUSY_FOR_SECONDS = 2
const PARAMETERS = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

const inLane = createKeyedSemaphore(AT_ONCE)
let inLine = 0
/** How many of the line are held by each share. */
const held = new Map<string, number>()

/** Who asks: somebody with a session, a link or a network of the account, or anybody. */
export interface Asker {
  isKnown: boolean
  /** What the places of this asker are counted for: without any, nothing but the line is short. */
  shares: readonly Share[]
}

/** So many places of the line, waiting or running, that those who have the same key may hold together. */
export interface Share {
  key: string
  most: number
}

/** Runs one hash among those of this process; `busy` when too many wait already, in all or of one share. */
async function inTurn<T>({ isKnown, shares }: Asker, work: () => Promise<T>): Promise<T> {
  const isFull = inLine >= AT_ONCE + WAITING_AT_MOST + (isKnown ? WAITING_KEPT : 0)
  if (isFull || shares.some(({ key, most }) => (held.get(key) ?? 0) >= most)) {
    throw new AppError('busy', { retryAfterSeconds: BUSY_FOR_SECONDS })
  }
  inLine += 1
  for (const { key } of shares) held.set(key, (held.get(key) ?? 0) + 1)
  try {
    return await inLane('passwords', work)
  } finally {
    inLine -= 1
    for (const { key } of shares) leave(key)
  }
}

function leave(key: string): void {
  const left = (held.get(key) ?? 0) - 1
  if (left > 0) held.set(key, left)
  else held.delete(key)
}

/** Argon2id in its PHC form; `busy`. */
export function hashPassword(password: string, asker: Asker): Promise<string> {
  return inTurn(asker, () => hash(password.normalize('NFC'), PARAMETERS))
}

const { memoryCost, timeCost, parallelism } = PARAMETERS
/** Costs what any other does, and no password is known to have it. */
const HASH_OF_NOBODY = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`

/** Whether the password is right; `busy`. Without a hash (no such account) it takes the same time and says no. */
export async function isPasswordRight(
  passwordHash: string | undefined,
  password: string,
  asker: Asker,
): Promise<boolean> {
  const against = passwordHash ?? HASH_OF_NOBODY
  const isRight = await inTurn(asker, () => verify(against, password.normalize('NFC')))
  return isRight && passwordHash !== undefined
}
