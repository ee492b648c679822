/** The header of a call that creates something, so that the same call again makes nothing more (behaviour.md 12.4). */
export const IDEMPOTENCY_HEADER = 'idempotency-key'
/** On the answer to a call that had been made before. */
export const REPLAYED_HEADER = 'idempotency-replayed'
/** How long a key stands for what it made. */
export const IDEMPOTENCY_KEPT_MS = 7 * 24 * 3_600_000

export const IDEMPOTENCY_KEY_MAX_LENGTH = 255

const VISIBLE_ASCII = /^[\x21-\x7e]+$/

export function isIdempotencyKey(text: string): boolean {
  return text.length <= IDEMPOTENCY_KEY_MAX_LENGTH && VISIBLE_ASCII.test(text)
}
