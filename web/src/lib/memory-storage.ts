/** A storage whose entries are its own properties, as those of the browser are, and end with the page. */
class MemoryStorage implements Storage {
  [key: string]: unknown

  getItem(key: string): string | null {
    return Object.hasOwn(this, key) ? String(this[key]) : null
  }

  setItem(key: string, value: string): void {
    this[key] = String(value)
  }

  removeItem(key: string): void {
    delete this[key]
  }

  clear(): void {
    for (const key of Object.keys(this)) delete this[key]
  }

  key(index: number): string | null {
    return Object.keys(this)[index] ?? null
  }

  get length(): number {
    return Object.keys(this).length
  }
}

const PROBE = 'storage-probe'

/**
 * Gives the page storages that last as long as it where the browser refuses its own: with all cookies blocked, in views
 * of other apps, or without any room. A letter opens there, and one signs in until the page is loaded again.
 */
export function provideStorages(): void {
  for (const name of ['localStorage', 'sessionStorage'] as const) {
    if (isRefused(name)) Object.defineProperty(window, name, { value: new MemoryStorage() })
  }
}

/** Whether what the page stores for later ends with it; false on the server and in workers, which store nothing. */
export function isStorageTemporary(): boolean {
  return typeof localStorage !== 'undefined' && localStorage instanceof MemoryStorage
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
