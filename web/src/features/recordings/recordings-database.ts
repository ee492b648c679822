/**
 * Each account has a database of its own on this device: nobody else's session opens it, and erasing one is one
 * call, which needs none of the recorder's code.
 */
export function recordingsDatabase(ownerId: string): string {
  return `recordings:${ownerId}`
}

export function eraseRecordingsOf(ownerId: string): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(recordingsDatabase(ownerId))
}
