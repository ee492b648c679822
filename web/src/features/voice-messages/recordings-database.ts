import { useEffect } from 'react'
import { onLeave } from '#web/lib/leaving.ts'

/** Each account has its own database on this device: no other session opens it, and signing out deletes it whole. */
export function recordingsDatabase(ownerId: string): string {
  return `recordings:${ownerId}`
}

function deleteRecordingsOf(ownerId: string): void {
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(recordingsDatabase(ownerId))
}

/** Signing out deletes the recordings of the account; a dialog has warned of unsent ones. */
export function useDeleteRecordingsOnSignOut(): void {
  useEffect(() => onLeave(deleteRecordingsOf), [])
}
