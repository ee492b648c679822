/** What another app of the device handed over, until it becomes a letter. */
export const SHARED_DATABASE = 'shared-in'

export function eraseShared(): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(SHARED_DATABASE)
}
