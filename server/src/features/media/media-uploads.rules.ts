/** Boundaries and fields around the file in the body of its request, at most. */
export const FORM_OVERHEAD_BYTES = 16 * 1024

/** The least that a file can measure in a request of this length; undefined when the length is not said. */
export function leastFileBytes(contentLength: string | undefined): number | undefined {
  if (contentLength === undefined || !/^\d{1,15}$/.test(contentLength)) return undefined
  return Math.max(0, Number(contentLength) - FORM_OVERHEAD_BYTES)
}

const TRANSFERS_AT_ONCE = 2

export function hasFreeSlot(transfers: number): boolean {
  return transfers < TRANSFERS_AT_ONCE
}
