import { useEffect } from 'react'
import { onLeave } from '#web/lib/leaving.ts'
import { eraseUploadsOf } from './uploads-database.ts'

/** Whoever signs out leaves no file of theirs on the device; they were asked when some had not arrived. */
export function useUploadsEnd(): void {
  useEffect(
    () =>
      onLeave((userId) => {
        eraseUploadsOf(userId)
        // Its code comes with the page that takes it.
        void import('./shared-store.ts').then(({ eraseShared }) => eraseShared())
      }),
    [],
  )
}
