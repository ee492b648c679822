import { isStorageTemporary } from '#web/lib/provided-storage.ts'
import { readKnownUser, readToken } from '#web/lib/session-token.ts'

/** Letters that their reader wants to read without a network. Signing out deletes all of them, with the keys they are under. */
export const OFFLINE_DATABASE = 'offline-letters'

/** Set as long as the database may have something, to when it was last checked: most devices never load what reads it. */
const MARK = 'offline-letters'
const CHECKED_EVERY_MS = 60 * 60_000
/** The account that wants all its letters offline. */
const ALL = 'offline-letters-all'

/** Of letters that a link opens, without an account. */
export const LINKS_OWNER = 'links'

/** Whose letters this page stores and reads; without a network it is who was last heard to be signed in. */
export function offlineOwner(): string {
  const known = readToken() === null ? undefined : readKnownUser()
  return known?.id ?? LINKS_OWNER
}

/** Whether this browser can store letters: it has a database, and encrypts. */
export function isOfflineSupported(): boolean {
  const canStore = typeof indexedDB !== 'undefined' && globalThis.crypto?.subtle !== undefined
  // Without its mark on the device, what was stored would be forgotten, and erased by nobody.
  return canStore && !isStorageTemporary()
}

export function hasOfflineLetters(): boolean {
  return isOfflineSupported() && localStorage.getItem(MARK) !== null
}

export function markOfflineLetters(): void {
  // The first letter was asked for just now.
  if (!hasOfflineLetters()) localStorage.setItem(MARK, String(Date.now()))
}

/** Whether an hour has passed since the server was asked, letter by letter, what may still be read. */
export function isOfflineCheckDue(): boolean {
  return Math.abs(Date.now() - Number(localStorage.getItem(MARK))) > CHECKED_EVERY_MS
}

export function markOfflineChecked(): void {
  if (hasOfflineLetters()) localStorage.setItem(MARK, String(Date.now()))
}

export function storesAllOffline(): boolean {
  return localStorage.getItem(ALL) === offlineOwner()
}

export function setStoresAllOffline(storesAll: boolean): void {
  if (storesAll) localStorage.setItem(ALL, offlineOwner())
  else localStorage.removeItem(ALL)
}

export function deleteOfflineLetters(): void {
  if (typeof indexedDB === 'undefined') return
  localStorage.removeItem(MARK)
  localStorage.removeItem(ALL)
  indexedDB.deleteDatabase(OFFLINE_DATABASE)
}
