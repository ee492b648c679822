// While one tab works on something, no other tab of this browser does. The browser releases the lock of a tab that is
// closed or crashes.
const lockedHere = new Set<string>()

export type Release = () => Promise<void>

interface LockOptions {
  /** Takes it from the tab that has it. */
  steal?: boolean
  /** Another tab has taken it. */
  onLost?: () => void
}

/** Locks a name for this tab until the function it returns is called; undefined when it is locked already. */
export async function acquireTabLock(
  name: string,
  { steal = false, onLost }: LockOptions = {},
): Promise<Release | undefined> {
  if (lockedHere.has(name)) return undefined
  lockedHere.add(name)
  const forget = () => {
    lockedHere.delete(name)
    onLost?.()
  }
  const free = await lock(name, steal ? { steal } : { ifAvailable: true }, forget)
  if (!free) {
    lockedHere.delete(name)
    return undefined
  }
  return () => {
    lockedHere.delete(name)
    return free()
  }
}

function lock(
  name: string,
  options: globalThis.LockOptions,
  onLost: () => void,
): Promise<Release | undefined> {
  const { locks } = navigator as { locks?: LockManager }
  if (!locks) return Promise.resolve(async () => {})
  return new Promise((resolve, reject) => {
    let isGranted = false
    const over: Promise<unknown> = locks.request(name, options, (granted) => {
      if (!granted) return resolve(undefined)
      isGranted = true
      return new Promise<void>((free) =>
        resolve(async () => {
          free()
          await over.catch(() => undefined)
        }),
      )
    })
    over.catch((error) => (isGranted ? onLost() : reject(error)))
  })
}

/** What follows the prefix in the names locked by this tab or another. */
export async function listTabLocks(prefix: string): Promise<Set<string>> {
  const { locks } = navigator as { locks?: LockManager }
  const { held = [] } = (await locks?.query()) ?? {}
  const names = [...lockedHere, ...held.map(({ name = '' }) => name)]
  return new Set(
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length)),
  )
}

export interface Broadcast {
  /** Calls the listeners of every tab of this browser, this one too. */
  announce: () => void
  listen: (listener: () => void) => () => void
}

/** For every tab of this browser to learn that what is stored on the device under a name has changed. */
export function createBroadcast(name: string): Broadcast {
  const listeners = new Set<() => void>()
  const callListeners = () => {
    for (const listener of listeners) listener()
  }
  const otherTabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(name)
  if (otherTabs) otherTabs.onmessage = callListeners
  return {
    announce: () => {
      callListeners()
      otherTabs?.postMessage('changed')
    },
    listen: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
