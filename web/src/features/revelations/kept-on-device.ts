import { DRAFT_PREFIX } from './erase-drafts.ts'

/**
 * Something this device keeps for each account under the drafts, and is erased with them when its owner leaves. `read` makes
 * of what was stored what it is, or undefined where that cannot be read. A device without room keeps it on the page only.
 */
export function keptOnDevice<Kept>(name: string, read: (stored: unknown) => Kept | undefined) {
  const keyOf = (userId: string) => DRAFT_PREFIX + name + userId
  return {
    read(userId: string): Kept | undefined {
      try {
        return read(JSON.parse(localStorage.getItem(keyOf(userId)) ?? ''))
      } catch {
        return undefined
      }
    },
    keep(userId: string, kept: Kept): void {
      try {
        localStorage.setItem(keyOf(userId), JSON.stringify(kept))
      } catch {
        // Whoever asks finds nothing, as on another device.
      }
    },
    erase(userId: string): void {
      localStorage.removeItem(keyOf(userId))
    },
  }
}
