import { removeStored, storedValue } from './storage.ts'

export const DRAFT_PREFIX = 'revelation-draft:'

/** Each account has its own database of drafts on this device. */
export function draftsDatabase(ownerId: string): string {
  return `drafts:${ownerId}`
}

/**
 * The account that the drafts of this device are of, as long as it has not signed out: what an expired session interrupted waits
 * for the same person, whichever tab learns of it.
 */
const owner = storedValue('drafts-owner', (value) =>
  typeof value === 'string' ? value : undefined,
)

export function areDraftsOwned(): boolean {
  return owner.read() !== undefined
}

/** Whoever signs in finds no draft of another account. */
export function claimDrafts(userId: string): void {
  const former = owner.read()
  if (former === userId) return
  if (former !== undefined) eraseAllDrafts(former)
  owner.write(userId)
}

/** Their owner signs out: every tab erases them once its pages are gone, which store them one last time. */
export function disownDrafts(): void {
  owner.remove()
}

/** Erases every draft of this device and tab: sealed or abandoned text must not be found on it. */
export function eraseAllDrafts(ownerId: string): void {
  for (const storage of [sessionStorage, localStorage]) removeStored(storage, DRAFT_PREFIX)
  if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(draftsDatabase(ownerId))
}
