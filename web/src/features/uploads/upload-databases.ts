/** Each account has its own database on this device: no other session opens it, and signing out deletes it whole. */
export function uploadsDatabase(ownerId: string): string {
  return `uploads:${ownerId}`
}

export function deleteUploadsOf(ownerId: string): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(uploadsDatabase(ownerId))
}

/** What another app of the device shared, until it becomes a letter. */
export const SHARED_DATABASE = 'shared-in'

export function deleteShared(): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(SHARED_DATABASE)
}
