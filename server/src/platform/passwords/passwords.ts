import { hash, verify } from '@node-rs/argon2'
import { createLanes } from '#server/platform/turns.ts'

// 64 MiB each: four at once keep the whole program under 256 MiB whatever the number of sign-ins.
const AT_ONCE = 4
const PARAMETERS = { memoryCost: 65_536, timeCost: 3, parallelism: 1 }

const inLane = createLanes(AT_ONCE)

/** Argon2id in its PHC form. */
export function hashPassword(password: string): Promise<string> {
  return inLane('passwords', () => hash(password.normalize('NFC'), PARAMETERS))
}

let dummy: Promise<string> | undefined

/** Whether the password is right. Without a hash (no such account) it takes the same time and says no. */
export async function isPasswordRight(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  dummy ??= hashPassword('no account has this password')
  const against = passwordHash ?? (await dummy)
  const isRight = await inLane('passwords', () => verify(against, password.normalize('NFC')))
  return isRight && passwordHash !== undefined
}
