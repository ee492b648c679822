import { removeStored } from './storage.ts'

export const DRAFT_PREFIX = 'revelation-draft:'

/** Erases every draft of this device and tab: sealed or abandoned text must not be found on it. */
export function eraseAllDrafts(): void {
  for (const storage of [sessionStorage, localStorage]) removeStored(storage, DRAFT_PREFIX)
}
