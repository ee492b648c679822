import { useEffect } from 'react'
import { onLeave } from '#web/lib/leaving.ts'
import { deleteShared, deleteUploadsOf } from './upload-databases.ts'

/** Signing out deletes the files of the account from this device; a dialog has warned of unsent ones. */
export function useDeleteUploadsOnSignOut(): void {
  useEffect(
    () =>
      onLeave((userId) => {
        deleteUploadsOf(userId)
        deleteShared()
      }),
    [],
  )
}
