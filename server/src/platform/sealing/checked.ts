/** Something sealed that a check opened to its end, and of which the check shows nothing else. */
export interface Checked {
  /** Which thing it is, never what it says. */
  name: string
  sizeBytes: number
  /** Why it does not open, if so. */
  problem?: string
}

/** What is wrong with something sealed, by the error of its opening; a bug of ours is thrown again. */
export function damageOf(error: unknown): string {
  const { name, message } = error as Error
  if (name === 'SealBroken' || name === 'ObjectMissing' || name === 'RangeError') return message
  throw error
}
