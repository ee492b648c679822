import { getPublicKey, hashes, Point, sign, verify } from '@noble/ed25519'
import { sha512 } from '@noble/hashes/sha2.js'
import { concatBytes } from '@noble/hashes/utils.js'
import { type Bytes, hexOf, isSameBytes } from './bytes.ts'

hashes.sha512 = sha512

export const PUBLIC_KEY_SIZE = 32
export const SIGNATURE_SIZE = 64

export function publicKeyOf(seed: Bytes): Bytes {
  return getPublicKey(seed)
}

export function signWith(seed: Bytes, message: Bytes): Bytes {
  return sign(message, seed)
}

/** RFC 8032, so that every verifier comes to the same answer, whoever made key and signature (docs/proof.md). */
export function isSignature(signature: Bytes, message: Bytes, publicKey: Bytes): boolean {
  try {
    return (
      verify(signature, message, publicKey, { zip215: false }) &&
      isValidWithoutCofactor(signature, message, publicKey)
    )
  } catch {
    return false
  }
}

/**
 * [S]B = R + [k]A, as OpenSSL, Go and browsers check it. The library multiplies both sides by eight, which the RFC allows too:
 * keys can be made with which the two disagree.
 */
function isValidWithoutCofactor(signature: Bytes, message: Bytes, publicKey: Bytes): boolean {
  const half = SIGNATURE_SIZE / 2
  const [r, s] = [signature.subarray(0, half), littleEndian(signature.subarray(half))]
  const k = littleEndian(sha512(concatBytes(r, publicKey, message))) % Point.CURVE().n
  const kA = Point.fromBytes(publicKey).multiply(k, false)
  return isSameBytes(Point.BASE.multiply(s, false).subtract(kA).toBytes(), r)
}

function littleEndian(bytes: Bytes): bigint {
  return BigInt(`0x${hexOf(bytes.toReversed())}`)
}
