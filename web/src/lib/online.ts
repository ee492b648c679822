import { useSyncExternalStore } from 'react'

const PROBE_EVERY_MS = 3_000
const PROBED_PATH = '/api/health'

// Whether the server can be reached: a device that has a network may have none that leads anywhere. Once the server is
// out of reach, it is probed as long as somebody listens.
let isReached = true
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function notify(): void {
  for (const listener of listeners) listener()
}

function isReachable(): boolean {
  return isReached
}

export function setReachable(isNowReached: boolean): void {
  if (isReached === isNowReached) return
  isReached = isNowReached
  notify()
  scheduleProbe()
}

/** Calls back when the network of the device, or the reach of the server, may have changed. Returns what stops it. */
export function onReachChange(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    window.addEventListener('online', notify)
    window.addEventListener('offline', notify)
    scheduleProbe()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('online', notify)
    window.removeEventListener('offline', notify)
    clearTimeout(timer)
    timer = undefined
  }
}

/** The server cannot be reached: calls back once, as soon as it can be again. */
export function whenReachableAgain(callback: () => void): void {
  setReachable(false)
  const stop = onReachChange(() => {
    if (!isReachable()) return
    stop()
    callback()
  })
}

function scheduleProbe(): void {
  if (isReached || listeners.size === 0 || timer !== undefined) return
  timer = setTimeout(async () => {
    await probeServer()
    timer = undefined
    scheduleProbe()
  }, PROBE_EVERY_MS)
}

/** Finds out now whether the server can be reached. */
export async function probeServer(): Promise<void> {
  const address = new URL(PROBED_PATH, window.location.origin)
  const answer = await fetch(address, { cache: 'no-store' }).catch(() => undefined)
  setReachable(answer?.ok ?? false)
}

/** For tests: each starts with a server that can be reached. */
export function resetReach(): void {
  isReached = true
}

export function isOnline(): boolean {
  return navigator.onLine !== false && isReachable()
}

/** False where the device knows that it has no network, or the page began without the server; true promises nothing. */
export function useOnline(): boolean {
  return useSyncExternalStore(onReachChange, isOnline, () => true)
}

/**
 * Calls back when the network is back, and when a phone that slept, and may have missed it, shows the page again.
 * Returns what stops it.
 */
export function onNetworkBack(listener: () => void): () => void {
  const onShown = () => {
    if (document.visibilityState === 'visible' && navigator.onLine) listener()
  }
  window.addEventListener('online', listener)
  document.addEventListener('visibilitychange', onShown)
  return () => {
    window.removeEventListener('online', listener)
    document.removeEventListener('visibilitychange', onShown)
  }
}
