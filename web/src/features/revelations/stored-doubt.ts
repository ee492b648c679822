import { DRAFT_PREFIX } from './erase-drafts.ts'
import type { Doubt } from './seal-once.ts'

// Erased with the drafts, when its owner leaves.
const KEY = `${DRAFT_PREFIX}doubt:`

export function readDoubt(userId: string): Doubt | undefined {
  try {
    const stored: Partial<Doubt> = JSON.parse(localStorage.getItem(KEY + userId) ?? '')
    const { title, content, sinceMs } = stored
    if (title === undefined || content === undefined || sinceMs === undefined) return undefined
    return { title, content, sinceMs }
  } catch {
    return undefined
  }
}

export function keepDoubt(userId: string, doubt: Doubt): void {
  try {
    localStorage.setItem(KEY + userId, JSON.stringify(doubt))
  } catch {
    // A device without room knows of the doubt as long as the page is open.
  }
}

export function eraseDoubt(userId: string): void {
  localStorage.removeItem(KEY + userId)
}
