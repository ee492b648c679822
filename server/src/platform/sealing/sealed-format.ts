// docs/decisions/0002-sealed-files.md describes the byte layout of a sealed file.
export const SALT_SIZE = 32
export const NONCE_SIZE = 12
export const TAG_SIZE = 16
export const HEADER_SIZE = 8 + SALT_SIZE
export const CHUNK_SIZE = 65_536
export const CHUNK_OVERHEAD = NONCE_SIZE + TAG_SIZE
export const SEALED_CHUNK_SIZE = CHUNK_SIZE + CHUNK_OVERHEAD

/** Sealed bytes were altered, cut, moved to another place, or belong to another key. */
export class SealBroken extends Error {
  override name = 'SealBroken'
}
