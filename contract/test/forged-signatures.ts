import { etc, Point, utils } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { type Bytes, base64Of, bytesOfHex, hexOf, utf8 } from '../src/proofs/bytes.ts'
import { formatLogKey, logKeyOf } from '../src/proofs/checkpoint.ts'
import { publicKeyOf, signWith } from '../src/proofs/signature.ts'
import { bytesFor } from './log.ts'

const ORDER = Point.CURVE().n
/** A point that eight times itself makes nothing. */
const TORSION = Point.fromHex('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05')
/** Nothing, and what some libraries take for it: its y is larger than the prime. */
const SMALL_KEYS = [`01${'00'.repeat(31)}`, `ee${'ff'.repeat(30)}7f`]

function littleEndian(bytes: Bytes): bigint {
  return BigInt(`0x${hexOf(bytes.toReversed())}`)
}

function scalarBytes(scalar: bigint): Bytes {
  const hex = scalar.toString(16).padStart(64, '0')
  return (bytesOfHex(hex) as Bytes).toReversed()
}

interface Note {
  key: string
  note: string
}

function noteOf(text: string, origin: string, publicKey: Bytes, signature: Bytes): Note {
  const key = logKeyOf(origin, publicKey)
  const encoded = base64Of(etc.concatBytes(key.id, signature))
  return { key: formatLogKey(key), note: `${text}\n— ${origin} ${encoded}\n` }
}

/** A note with whatever text, rightly signed. */
export function signNote(seed: Bytes, text: string, origin: string): Note {
  return noteOf(text, origin, publicKeyOf(seed), signWith(seed, utf8(text)))
}

/** Signatures that some libraries accept and others refuse: a verifier of docs/proof.md refuses all. */
export function makeForgeries(seed: Bytes, text: string, origin: string): Note[] {
  return [
    signedByMixedKey(text, origin),
    signedBeyondOrder(seed, text, origin),
    ...SMALL_KEYS.map((hex) => signedByNobody(text, origin, bytesOfHex(hex) as Bytes)),
  ]
}

/** Right only when both sides of the equation are multiplied by eight. */
function signedByMixedKey(text: string, origin: string): Note {
  const { scalar, point } = utils.getExtendedPublicKey(bytesFor('a mixed key'))
  const publicKey = point.add(TORSION).toBytes()
  for (let tried = 1n; ; tried += 1n) {
    const r = Point.BASE.multiply(tried).toBytes()
    const k = littleEndian(sha512(etc.concatBytes(r, publicKey, utf8(text)))) % ORDER
    if (k % 8n === 0n) continue
    const s = (tried + k * scalar) % ORDER
    return noteOf(text, origin, publicKey, etc.concatBytes(r, scalarBytes(s)))
  }
}

/** The same signature, its second half written as another number. */
function signedBeyondOrder(seed: Bytes, text: string, origin: string): Note {
  const signature = signWith(seed, utf8(text))
  const [r, s] = [signature.subarray(0, 32), littleEndian(signature.subarray(32))]
  return noteOf(text, origin, publicKeyOf(seed), etc.concatBytes(r, scalarBytes(s + ORDER)))
}

/** With such a key, one signature is right for every text. */
function signedByNobody(text: string, origin: string, publicKey: Bytes): Note {
  const r = Point.BASE.multiply(7n).toBytes()
  return noteOf(text, origin, publicKey, etc.concatBytes(r, scalarBytes(7n)))
}
