/** Each account has its own database on this device: no other session opens it, and signing out deletes it whole. */
export function recordingsDatabase(ownerId: string): string {
  return `recordings:${ownerId}`
}

export function deleteRecordingsOf(ownerId: string): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(recordingsDatabase(ownerId))
}
