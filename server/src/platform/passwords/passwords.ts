import { hash, verify } from '@node-rs/argon2'

// 64 MiB each: four at once keep the whole program under 256 MiB whatever the number of sign-ins.
const AT_ONCE = 4
const PARAMETERS = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

let running = 0
const waiting: (() => void)[] = []

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
  else running += 1
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

/** Argon2id in its PHC form. */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password.normalize('NFC'), PARAMETERS))
}

let dummy: Promise<string> | undefined

/** Whether the password is right. Without a hash (no such account) it takes the same time and says no. */
export async function isPasswordRight(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  dummy ??= hashPassword('no account has this password')
  const against = passwordHash ?? (await dummy)
  const isRight = await inTurn(() => verify(against, password.normalize('NFC')))
  return isRight && passwordHash !== undefined
}
