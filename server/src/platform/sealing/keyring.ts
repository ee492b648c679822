import { randomBytes } from 'node:crypto'
import { StartError } from '#server/platform/start-error.ts'
import { deriveKey } from './derive-key.ts'
import { obtainMasterKey } from './master-key.ts'
import { SealBroken } from './seal-broken.ts'
import { openBox, sealBox } from './sealed-box.ts'

declare const brand: unique symbol

/** The key of one revelation or one sound. Forgetting its wrapped form erases all it sealed. */
export type DataKey = { readonly bytes: Buffer; readonly [brand]: 'DataKey' }

export interface Keyring {
  /** `subject` says whose key it is ("revelation:<id>"): wrapped, it opens for nobody else. */
  createDataKey(subject: string): { dataKey: DataKey; wrapped: Buffer }
  /** Throws `SealBroken`. */
  openDataKey(subject: string, wrapped: Uint8Array): DataKey
  /** 32 bytes, always the same for the same purpose and master key. */
  secretFor(purpose: string): Buffer
  /** Tells one master key from another and nothing else: the database may hold it. */
  fingerprint: Buffer
}

const DATA_KEY_SIZE = 32

/**
 * Reads the master key, or makes it at the first start. When the database already holds wrapped
 * keys, `expectedFingerprint` is theirs: any other key, or none, is a `StartError` and nothing is
 * written.
 */
export async function loadKeyring(options: {
  dataDir: string
  masterKeyFile: string | undefined
  expectedFingerprint: Buffer | undefined
  log?: { warn(sentence: string): void }
}): Promise<Keyring> {
  const { expectedFingerprint, log = { warn: sayOnStderr } } = options
  const { masterKey, path } = await obtainMasterKey({
    ...options,
    mayCreate: expectedFingerprint === undefined,
    log,
  })
  const keyring = keyringOf(masterKey)
  if (expectedFingerprint && !keyring.fingerprint.equals(expectedFingerprint)) {
    throw new StartError(
      `"${path}" is not the master key that this database was sealed with: put the right one back.`,
    )
  }
  return keyring
}

function keyringOf(masterKey: Buffer): Keyring {
  const wrappingKey = deriveKey(masterKey, 'wrapping')
  // A page of a list signs a thousand tickets with one of them; there are a handful, and one more a day.
  const secrets = new Map<string, Buffer>()
  return {
    createDataKey(subject) {
      const bytes = randomBytes(DATA_KEY_SIZE)
      return { dataKey: dataKeyOf(bytes), wrapped: sealBox(wrappingKey, subject, bytes) }
    },
    openDataKey(subject, wrapped) {
      const bytes = openBox(wrappingKey, subject, wrapped)
      if (bytes.length !== DATA_KEY_SIZE) throw new SealBroken(`Not a data key: ${subject}`)
      return dataKeyOf(bytes)
    },
    secretFor(purpose) {
      const secret = secrets.get(purpose) ?? deriveKey(masterKey, `secret/${purpose}`)
      secrets.set(purpose, secret)
      return secret
    },
    fingerprint: deriveKey(masterKey, 'fingerprint'),
  }
}

/** A key for one part of what a data key seals: no part opens in the place of another. */
export function partKeyOf(key: DataKey, part: string): DataKey {
  return dataKeyOf(deriveKey(key.bytes, `part/${part}`))
}

// Not enumerable, so that a key caught in a log line or in a JSON answer prints as {}.
function dataKeyOf(bytes: Buffer): DataKey {
  return Object.defineProperty({}, 'bytes', { value: bytes }) as DataKey
}

function sayOnStderr(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
