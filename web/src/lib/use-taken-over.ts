import { useSyncExternalStore } from 'react'

const never = () => () => undefined

/** Whether React answers here: in a first screen made by the server nothing does, until the code has arrived. */
export function useTakenOver(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
}
