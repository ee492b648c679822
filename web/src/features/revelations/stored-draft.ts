import { type RevelationDraft, revelationDraftSchema } from './revelation-draft.ts'

const PREFIX = 'revelation-draft:'

/** What this account was writing on this device; undefined when there is nothing, or nothing readable. */
export function readStoredDraft(userId: string): RevelationDraft | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PREFIX + userId) ?? '')
    return revelationDraftSchema.safeParse(stored).data
  } catch {
    return undefined
  }
}

export function storeDraft(userId: string, draft: RevelationDraft): void {
  try {
    localStorage.setItem(PREFIX + userId, JSON.stringify(draft))
  } catch {
    // A device without room keeps the text on the page only.
  }
}

export function eraseStoredDraft(userId: string): void {
  localStorage.removeItem(PREFIX + userId)
}

/** Erases every draft of this device: what is sealed or left behind must not be found on it. */
export function eraseAllDrafts(): void {
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(PREFIX)) localStorage.removeItem(key)
  }
}
