import { sha256 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import {
  type Bytes,
  base64Of,
  bytesOfBase64,
  HASH_SIZE,
  hexOf,
  isSameBytes,
  utf8,
} from './bytes.ts'
import { isSignature, PUBLIC_KEY_SIZE, publicKeyOf, SIGNATURE_SIZE, signWith } from './signature.ts'
import type { TreeHead } from './tree.ts'

const ED25519 = Uint8Array.of(1)
const KEY_ID_SIZE = 4
const SIGNATURE_MARK = '— '
/** Of a note, whose lines end with a line feed and contain no other control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0009\u000B-\u001F\uFFFD]/
const LOG_KEY = /^([^\s+]+)\+[0-9a-f]{8}\+([^\s]+)$/

/** The state of a log: its name, how many leaves it has, and the root over them (C2SP tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  origin: string
}

/** The key by which a log’s signatures are checked (C2SP signed-note). */
export interface LogKey {
  name: string
  id: Bytes
  publicKey: Bytes
}

export function logKeyOf(name: string, publicKey: Bytes): LogKey {
  const id = sha256(concatBytes(utf8(`${name}\n`), ED25519, publicKey)).slice(0, KEY_ID_SIZE)
  return { name, id, publicKey }
}

/** `<name>+<id>+<key>`, as other programs that check logs read it. */
export function formatLogKey({ name, id, publicKey }: LogKey): string {
  return `${name}+${hexOf(id)}+${base64Of(concatBytes(ED25519, publicKey))}`
}

/** Undefined when it is no Ed25519 key in its one spelling. */
export function parseLogKey(text: string): LogKey | undefined {
  const [, name = '', encoded = ''] = LOG_KEY.exec(text) ?? []
  const bytes = bytesOfBase64(encoded)
  if (bytes?.length !== ED25519.length + PUBLIC_KEY_SIZE) return undefined
  const key = logKeyOf(name, bytes.subarray(ED25519.length))
  return formatLogKey(key) === text ? key : undefined
}

/** The signed note: three lines, an empty one, the signature. */
export function signCheckpoint(seed: Bytes, { origin, size, root }: Checkpoint): string {
  const text = `${origin}\n${size}\n${base64Of(root)}\n`
  const { id } = logKeyOf(origin, publicKeyOf(seed))
  const signature = base64Of(concatBytes(id, signWith(seed, utf8(text))))
  return `${text}\n${SIGNATURE_MARK}${origin} ${signature}\n`
}

/** The checkpoint of a note, if this key signed it; undefined when it is altered, or somebody else’s. */
export function openCheckpoint(note: string, key: LogKey): Checkpoint | undefined {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n') || CONTROL.test(note) || !note.isWellFormed())
    return undefined
  const text = note.slice(0, end + 1)
  const lines = note.slice(end + 2, -1).split('\n')
  if (!lines.every((line) => line.startsWith(SIGNATURE_MARK))) return undefined
  const checkpoint = readCheckpoint(text)
  if (checkpoint?.origin !== key.name) return undefined
  const isSigned = lines.some((line) => isSignedBy(text, line.slice(SIGNATURE_MARK.length), key))
  return isSigned ? checkpoint : undefined
}

function isSignedBy(text: string, line: string, { name, id, publicKey }: LogKey): boolean {
  const [signer, encoded = '', ...more] = line.split(' ')
  const bytes = bytesOfBase64(encoded)
  if (signer !== name || more.length > 0) return false
  if (bytes?.length !== KEY_ID_SIZE + SIGNATURE_SIZE) return false
  if (!isSameBytes(bytes.subarray(0, KEY_ID_SIZE), id)) return false
  return isSignature(bytes.subarray(KEY_ID_SIZE), utf8(text), publicKey)
}

/** The checkpoint of a note, whoever signed it. */
export function readCheckpoint(text: string): Checkpoint | undefined {
  const [origin = '', digits = '', encoded = ''] = text.split('\n')
  const size = /^(?:0|[1-9]\d{0,15})$/.test(digits) ? Number(digits) : Number.NaN
  const root = bytesOfBase64(encoded)
  if (origin === '' || !Number.isSafeInteger(size) || root?.length !== HASH_SIZE) return undefined
  return { origin, size, root }
}

const CHECKPOINT =
  /(\S+)\s+(0|[1-9]\d{0,15})\s+([A-Za-z0-9+/]{43}=)\s+—\s(\S+)\s+((?:[A-Za-z0-9+/]\s*){91}=)/

/** The checkpoint in what somebody copied from a mail, whose program may have quoted it and broken its lines. */
export function findCheckpoint(text: string): string | undefined {
  const unquoted = text.replaceAll(/^(?:>\s?)+/gm, '').replaceAll('\u00A0', ' ')
  const [, origin, size, root, signer, signature] = CHECKPOINT.exec(unquoted) ?? []
  if (origin === undefined || signature === undefined) return undefined
  return `${origin}\n${size}\n${root}\n\n— ${signer} ${signature.replaceAll(/\s/g, '')}\n`
}
