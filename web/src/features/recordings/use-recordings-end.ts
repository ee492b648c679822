import { useEffect } from 'react'
import { onLeave } from '#web/lib/leaving.ts'
import { eraseRecordingsOf } from './recordings-database.ts'

/** Whoever signs out leaves no voice of theirs on the device; they were asked when some were not sent. */
export function useRecordingsEnd(): void {
  useEffect(() => onLeave(eraseRecordingsOf), [])
}
