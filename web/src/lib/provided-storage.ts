const PROBE = 'storage-probe'

/** What stands in for the storage of the device. */
let standIn: Storage | undefined

/**
 * Gives the page storages that last as long as it where the browser refuses its own: with all cookies blocked, in views
 * of other apps, or without any room. A letter opens there, and one signs in until the page is loaded again.
 */
export async function provideStorages(): Promise<void> {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    if (!isRefused(name)) continue
    const { MemoryStorage } = await import('./memory-storage.ts')
    const value = new MemoryStorage()
    Object.defineProperty(window, name, { value })
    if (name === 'localStorage') standIn = value
  }
}

/** Whether what the page stores for later ends with it. */
export function isStorageTemporary(): boolean {
  return standIn !== undefined && localStorage === standIn
}

/** One that is merely full goes on: what it holds is still to be read. */
function isRefused(name: 'localStorage' | 'sessionStorage'): boolean {
  try {
    const storage = window[name]
    if (storage.length > 0) return false
    storage.setItem(PROBE, '')
    storage.removeItem(PROBE)
    return false
  } catch {
    return true
  }
}
