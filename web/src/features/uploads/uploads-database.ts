/** Each account has a database of its own on this device: nobody else's session opens it, and erasing one is one call. */
export function uploadsDatabase(ownerId: string): string {
  return `uploads:${ownerId}`
}

export function eraseUploadsOf(ownerId: string): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(uploadsDatabase(ownerId))
}
