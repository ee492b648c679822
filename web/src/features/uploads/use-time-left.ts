import { useMemo } from 'react'
import { measureTimeLeft, timeLeftInWords } from './time-left.ts'

/** How long the rest of a transfer takes, in words, each time some of it has left. */
export function useTimeLeft(loadedBytes: number, totalBytes: number): string | undefined {
  const measure = useMemo(() => measureTimeLeft(totalBytes), [totalBytes])
  return useMemo(
    () => timeLeftInWords(measure(loadedBytes, performance.now())),
    [measure, loadedBytes],
  )
}
