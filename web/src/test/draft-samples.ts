import type { StoredDraft } from '#web/features/revelations/drafts/draft-schema.ts'
import { newDraft } from '#web/features/revelations/drafts/draft-schema.ts'
import { readLastWords, writeLastWords } from '#web/features/revelations/drafts/last-words.ts'
import type { RevelationDraft } from '#web/features/revelations/revelation-draft.ts'

let count = 0

/** A letter that was begun on this device, after those of before it, within one millisecond too. */
export function saveDraft(
  userId: string,
  values: RevelationDraft,
  changes: Partial<StoredDraft> = {},
): void {
  count += 1
  writeLastWords(userId, newDraft(values, { touchedAtMs: Date.now() + count, ...changes }))
}

/** The letter that was written last, on a device without databases. */
export function savedDraft(userId: string): StoredDraft | undefined {
  return readLastWords(userId).toSorted((one, other) => other.touchedAtMs - one.touchedAtMs)[0]
}
