import { useSyncExternalStore } from 'react'
import { isReachable, listenToReach } from './reach.ts'

export function isOnline(): boolean {
  return navigator.onLine !== false && isReachable()
}

/** False where the device knows that it has no network, or the page began without the server; true promises nothing. */
export function useOnline(): boolean {
  return useSyncExternalStore(listenToReach, isOnline, () => true)
}
