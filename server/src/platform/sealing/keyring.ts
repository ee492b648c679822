import { randomBytes } from 'node:crypto'
import { StartError } from '#server/platform/start-error.ts'
import { deriveKey, openBox, sealBox } from './box.ts'
import { loadMasterKey } from './master-key.ts'
import { SealBroken } from './sealed-format.ts'

declare const brand: unique symbol

/** The key of one revelation or one voice message. The deletion of its wrapped form erases all it sealed. */
export type DataKey = { readonly bytes: Buffer; readonly [brand]: 'DataKey' }

export interface Keyring {
  /** `subject` names the owner of the key ("revelation:<id>"): wrapped, it opens for no other subject. */
  createDataKey(subject: string): { dataKey: DataKey; wrapped: Buffer }
  /** Wraps a key for one more subject: whoever opens it there opens all that it seals. */
  wrapDataKey(subject: string, dataKey: DataKey): Buffer
  /** Throws `SealBroken`. */
  openDataKey(subject: string, wrapped: Uint8Array): DataKey
  /** 32 bytes, always the same for the same purpose and master key. */
  secretFor(purpose: string): Buffer
  /** Distinguishes master keys and shows nothing else: the database may store it. */
  fingerprint: Buffer
}

const DATA_KEY_SIZE = 32

/**
 * Loads the master key, or creates it at the first start. When the database has wrapped keys already, their
 * `expectedFingerprint` is required: another key, or none, is a `StartError` and writes nothing.
 */
export async function loadKeyring(options: {
  dataDir: string
  masterKeyFile: string | undefined
  expectedFingerprint: Buffer | undefined
  log?: { warn(sentence: string): void }
}): Promise<Keyring> {
  const { expectedFingerprint, log = { warn: warnOnStderr } } = options
  const { masterKey, path } = await loadMasterKey({
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
  const opened = createKeyCache()
  // One page of a list signs a thousand tickets with one secret; there are a handful, and one more a day.
  const secrets = new Map<string, Buffer>()
  return {
    createDataKey(subject) {
      const bytes = randomBytes(DATA_KEY_SIZE)
      return { dataKey: dataKeyOf(bytes), wrapped: sealBox(wrappingKey, subject, bytes) }
    },
    wrapDataKey: (subject, { bytes }) => sealBox(wrappingKey, subject, bytes),
    openDataKey(subject, wrapped) {
      return opened(subject, wrapped, () => {
        const bytes = openBox(wrappingKey, subject, wrapped)
        if (bytes.length !== DATA_KEY_SIZE) throw new SealBroken(`Not a data key: ${subject}`)
        return dataKeyOf(bytes)
      })
    },
    secretFor(purpose) {
      const secret = secrets.get(purpose) ?? deriveKey(masterKey, `secret/${purpose}`)
      secrets.set(purpose, secret)
      return secret
    },
    fingerprint: deriveKey(masterKey, 'fingerprint'),
  }
}

/** A list opens the letters of the same few people again and again. */
const MAX_OPENED_KEYS = 4_096

/** Of the keys that were opened last, beside the master key; that of a deleted letter too, until others displace it. */
function createKeyCache() {
  const keys = new Map<string, DataKey>()
  return (subject: string, wrapped: Uint8Array, open: () => DataKey): DataKey => {
    const name = `${subject} ${Buffer.from(wrapped).toString('latin1')}`
    const key = keys.get(name) ?? open()
    keys.delete(name)
    keys.set(name, key)
    if (keys.size > MAX_OPENED_KEYS) keys.delete(keys.keys().next().value as string)
    return key
  }
}

// Not enumerable, so that a key caught in a log line or in a JSON answer prints as {}.
function dataKeyOf(bytes: Buffer): DataKey {
  return Object.defineProperty({}, 'bytes', { value: bytes }) as DataKey
}

function warnOnStderr(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
