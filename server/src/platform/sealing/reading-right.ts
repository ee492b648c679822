declare const granted: unique symbol

/** Proof that the gate said yes: what opens a letter asks for one, so forgetting the gate does not compile. */
export type ReadingRight = { readonly [granted]: true }

const RIGHT = Object.freeze({}) as ReadingRight

/** To be called by the rules that decide who reads, and by nothing else. */
export function grantReading(allowed: boolean): ReadingRight | undefined {
  return allowed ? RIGHT : undefined
}
