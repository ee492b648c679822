import { removeStored } from '#web/lib/storage.ts'

export const DRAFT_PREFIX = 'revelation-draft:'

/** Erases every draft of this device: sealed or abandoned text must not be found on it. */
export function eraseAllDrafts(): void {
  removeStored(localStorage, DRAFT_PREFIX)
}
