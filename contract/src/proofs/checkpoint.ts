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
import { isInstant } from './instant.ts'
import { isSignature, PUBLIC_KEY_SIZE, publicKeyOf, SIGNATURE_SIZE, signWith } from './signature.ts'
import type { TreeHead } from './tree.ts'

const ED25519 = Uint8Array.of(1)
const KEY_ID_SIZE = 4
const SIGNATURE_MARK = '— '
/** Of a note, whose lines end with a line feed and contain no other control character. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0009\u000B-\u001F\uFFFD]/
const LOG_KEY = /^([^\s+]+)\+[0-9a-f]{8}\+([^\s]+)$/

/** What the log says of itself inside what it signs: when that was, and from which leaf on all are of format 2. */
export interface CheckpointDate {
  signedAt: string
  v2From: number
}

/** The state of a log: its name, how many leaves it has, and the root over them (C2SP tlog-checkpoint). */
export interface Checkpoint extends TreeHead {
  origin: string
  /** Undefined in those of before format 2. */
  dated: CheckpointDate | undefined
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

/** The signed note: the lines of the checkpoint, an empty one, the signature. */
export function signCheckpoint(seed: Bytes, { origin, size, root, dated }: Checkpoint): string {
  const date = dated ? `signed_at ${dated.signedAt}\nv2_from ${dated.v2From}\n` : ''
  return signNote(`${origin}\n${size}\n${base64Of(root)}\n${date}`, origin, [seed])
}

/** C2SP signed-note: the text, whose lines all end with a line feed, an empty line, one signature for each seed. */
export function signNote(text: string, name: string, seeds: readonly Bytes[]): string {
  const lines = seeds.map((seed) => {
    const { id } = logKeyOf(name, publicKeyOf(seed))
    return `${SIGNATURE_MARK}${name} ${base64Of(concatBytes(id, signWith(seed, utf8(text))))}\n`
  })
  return `${text}\n${lines.join('')}`
}

/** The text of a note, if each of these keys signed it. */
export function openNote(note: string, keys: readonly LogKey[]): string | undefined {
  const end = note.lastIndexOf('\n\n')
  if (end < 0 || !note.endsWith('\n') || CONTROL.test(note) || !note.isWellFormed())
    return undefined
  const text = note.slice(0, end + 1)
  const lines = note.slice(end + 2, -1).split('\n')
  if (!lines.every((line) => line.startsWith(SIGNATURE_MARK))) return undefined
  const isSigned = keys.every((key) =>
    lines.some((line) => isSignedBy(text, line.slice(SIGNATURE_MARK.length), key)),
  )
  return isSigned ? text : undefined
}

/** The checkpoint of a note, if this key signed it; undefined when it is altered, or somebody else’s. */
export function openCheckpoint(note: string, key: LogKey): Checkpoint | undefined {
  const checkpoint = readCheckpoint(note)
  if (checkpoint?.origin !== key.name) return undefined
  return openNote(note, [key]) === undefined ? undefined : checkpoint
}

/** Checked signatures of the last notes; those of whole books would fill the memory. */
const opened = new Map<string, Checkpoint>()
const REMEMBERED_NOTES = 64
const REMEMBERED_LENGTH = 4_096

/**
 * The same for a key as text. The proofs of one moment share their checkpoint and those that were kept, and a signature takes
 * longer than all the rest: what opened is remembered, by key and note.
 */
export function openCheckpointOf(key: string, note: string): Checkpoint | undefined {
  const name = JSON.stringify([key, note])
  const known = opened.get(name)
  if (known) return known
  const logKey = parseLogKey(key)
  const checkpoint = logKey && openCheckpoint(note, logKey)
  if (checkpoint && name.length <= REMEMBERED_LENGTH) {
    const [oldest] = opened.size < REMEMBERED_NOTES ? [] : opened.keys()
    if (oldest !== undefined) opened.delete(oldest)
    opened.set(name, checkpoint)
  }
  return checkpoint
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
export function readCheckpoint(note: string): Checkpoint | undefined {
  const [origin = '', digits = '', encoded = '', ...more] = note.split('\n')
  const size = wholeNumberOf(digits)
  const root = bytesOfBase64(encoded)
  const dated = dateIn(more)
  if (origin === '' || size === undefined || root?.length !== HASH_SIZE) return undefined
  return dated === 'wrong' ? undefined : { origin, size, root, dated }
}

/** Both lines right after the root, or neither anywhere: no note can be read with a date by one and without by another. */
function dateIn(lines: readonly string[]): CheckpointDate | undefined | 'wrong' {
  if (!lines.some((line) => /^(?:signed_at|v2_from) /.test(line))) return undefined
  const [first = '', second = '', ...more] = lines
  const signedAt = first.slice('signed_at '.length)
  const v2From = wholeNumberOf(second.slice('v2_from '.length))
  const isRight =
    first.startsWith('signed_at ') &&
    second.startsWith('v2_from ') &&
    isInstant(signedAt) &&
    v2From !== undefined &&
    dateIn(more) === undefined
  return isRight ? { signedAt, v2From } : 'wrong'
}

/** Decimal, without leading zeros. */
export function wholeNumberOf(digits: string): number | undefined {
  const number = /^(?:0|[1-9]\d{0,15})$/.test(digits) ? Number(digits) : Number.NaN
  return Number.isSafeInteger(number) ? number : undefined
}

const CHECKPOINT =
  /(\S+)\s+(0|[1-9]\d{0,15})\s+([A-Za-z0-9+/]{43}=)(?:\s+signed_at\s+(\S{24})\s+v2_from\s+(\d+))?\s+—\s(\S+)\s+((?:[A-Za-z0-9+/]\s*){91}=)/g

/** Every checkpoint in what somebody copied from mails, whose program may have quoted it and broken its lines. */
export function findCheckpoints(text: string): string[] {
  const unquoted = text.replaceAll(/^(?:>\s?)+/gm, '').replaceAll('\u00A0', ' ')
  return [...unquoted.matchAll(CHECKPOINT)].map(
    ([, origin, size, root, signedAt, v2From, signer, signature = '']) => {
      const date = signedAt ? `signed_at ${signedAt}\nv2_from ${v2From}\n` : ''
      return `${origin}\n${size}\n${root}\n${date}\n— ${signer} ${signature.replaceAll(/\s/g, '')}\n`
    },
  )
}

/** The first of them. */
export function findCheckpoint(text: string): string | undefined {
  return findCheckpoints(text)[0]
}
