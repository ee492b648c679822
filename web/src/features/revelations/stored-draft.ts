import { DRAFT_PREFIX } from './erase-drafts.ts'
import { type RevelationDraft, revelationDraftSchema } from './revelation-draft.ts'

/** What this account was writing on this device; undefined when there is nothing, or nothing readable. */
export function readStoredDraft(userId: string): RevelationDraft | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(DRAFT_PREFIX + userId) ?? '')
    return revelationDraftSchema.safeParse(stored).data
  } catch {
    return undefined
  }
}

export function storeDraft(userId: string, draft: RevelationDraft): void {
  try {
    localStorage.setItem(DRAFT_PREFIX + userId, JSON.stringify(draft))
  } catch {
    // A device without room keeps the text on the page only.
  }
}

export function eraseStoredDraft(userId: string): void {
  localStorage.removeItem(DRAFT_PREFIX + userId)
}
