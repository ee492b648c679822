import { onlineManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'

const PROBE_EVERY_MS = 3_000
const PROBED_PATH = '/api/health'

// Online is a device that has a network and reaches the server: there are networks that lead nowhere. Once the server is out
// of reach, it is probed as long as somebody listens.
let isReached = true
let timer: ReturnType<typeof setTimeout> | undefined

function update(): void {
  onlineManager.setOnline(navigator.onLine !== false && isReached)
}

onlineManager.setEventListener(() => {
  if (typeof window === 'undefined') return undefined
  window.addEventListener('online', update)
  window.addEventListener('offline', update)
  update()
  scheduleProbe()
  return () => {
    window.removeEventListener('online', update)
    window.removeEventListener('offline', update)
    clearTimeout(timer)
    timer = undefined
  }
})

export function setReachable(isNowReached: boolean): void {
  isReached = isNowReached
  update()
  scheduleProbe()
}

/**
 * The server cannot be reached: calls back once, as soon as it can be again. What is stale is fetched again without this, by
 * the library; a substitute is not stale.
 */
export function whenReachableAgain(callback: () => void): void {
  setReachable(false)
  const stop = onlineManager.subscribe((isOnline) => {
    if (!isOnline) return
    stop()
    callback()
  })
}

function scheduleProbe(): void {
  if (isReached || !onlineManager.hasListeners() || timer !== undefined) return
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

/** False where the device knows that it has no network, or the page began without the server; true promises nothing. */
export function isOnline(): boolean {
  return onlineManager.isOnline()
}

export function useOnline(): boolean {
  return useSyncExternalStore(onlineManager.subscribe, isOnline, () => true)
}

/**
 * Calls back when the network is back, though the page may never have known that it was gone, and when a phone that slept,
 * and may have missed it, shows the page again.
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
