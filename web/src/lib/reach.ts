const ASK_EVERY_MS = 3_000
const ASKED = '/api/health'

/*
 * Whether the server can be reached: a device that says it has a network may have none that leads anywhere. Once it is
 * out of reach, it is asked for again as long as somebody wants to know.
 */
let isReached = true
let timer: ReturnType<typeof setTimeout> | undefined
const listeners = new Set<() => void>()

function tell(): void {
  for (const listener of listeners) listener()
}

export function isReachable(): boolean {
  return isReached
}

export function noteReach(isNowReached: boolean): void {
  if (isReached === isNowReached) return
  isReached = isNowReached
  tell()
  keepAsking()
}

/** Calls back when the network of the device, or the reach of the server, may have changed. Gives what stops it. */
export function listenToReach(listener: () => void): () => void {
  listeners.add(listener)
  if (listeners.size === 1) {
    window.addEventListener('online', tell)
    window.addEventListener('offline', tell)
    keepAsking()
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    window.removeEventListener('online', tell)
    window.removeEventListener('offline', tell)
    clearTimeout(timer)
    timer = undefined
  }
}

function keepAsking(): void {
  if (isReached || listeners.size === 0 || timer !== undefined) return
  timer = setTimeout(async () => {
    await lookForServer()
    timer = undefined
    keepAsking()
  }, ASK_EVERY_MS)
}

/** Each test starts with a server that can be reached. */
export function resetReach(): void {
  isReached = true
}

/** Finds out now whether the server can be reached. */
export async function lookForServer(): Promise<void> {
  const address = new URL(ASKED, window.location.origin)
  const answer = await fetch(address, { cache: 'no-store' }).catch(() => undefined)
  noteReach(answer?.ok ?? false)
}
