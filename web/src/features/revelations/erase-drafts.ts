export const DRAFT_PREFIX = 'revelation-draft:'

/** Erases every draft of this device: what is sealed or left behind must not be found on it. */
export function eraseAllDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(DRAFT_PREFIX)) localStorage.removeItem(key)
  }
}
