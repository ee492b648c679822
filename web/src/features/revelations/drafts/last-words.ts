import { DRAFT_PREFIX } from '#web/lib/drafts.ts'
import { isStorageTemporary } from '#web/lib/provided-storage.ts'
import { parseDraft, type StoredDraft } from './draft-schema.ts'

/*
 * What the database has not taken yet, written at once: a page that is closed, or a battery that is empty, ends before a
 * database has answered. Where the device has none, it is all there is.
 */
const PREFIX = `${DRAFT_PREFIX}now:`

const keyOf = (userId: string, id: string) => `${PREFIX}${userId}:${id}`

/** Whether the device stores them: it may have no room, or end them with the page. */
export function writeLastWords(userId: string, draft: StoredDraft): boolean {
  try {
    localStorage.setItem(keyOf(userId, draft.id), JSON.stringify(draft))
    return !isStorageTemporary()
  } catch {
    return false
  }
}

export function readLastWords(userId: string): StoredDraft[] {
  return Object.keys(localStorage)
    .filter((key) => key.startsWith(keyOf(userId, '')))
    .flatMap((key) => {
      try {
        return parseDraft(JSON.parse(localStorage.getItem(key) ?? 'null')) ?? []
      } catch {
        return []
      }
    })
}

/** Forgets them, unless they are newer than what the database has. */
export function dropLastWords(userId: string, { id, touchedAtMs }: StoredDraft): void {
  const newer = readLastWords(userId).some(
    (words) => words.id === id && words.touchedAtMs > touchedAtMs,
  )
  if (!newer) eraseLastWords(userId, id)
}

export function eraseLastWords(userId: string, id: string): void {
  localStorage.removeItem(keyOf(userId, id))
}
