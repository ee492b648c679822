import { useEffect } from 'react'
import { onLeave } from '#web/lib/leaving.ts'
import { eraseShared } from './shared-database.ts'
import { eraseUploadsOf } from './uploads-database.ts'

/** Whoever signs out leaves no file of theirs on the device; they were asked when some had not arrived. */
export function useUploadsEnd(): void {
  useEffect(
    () =>
      onLeave((userId) => {
        eraseUploadsOf(userId)
        eraseShared()
      }),
    [],
  )
}
