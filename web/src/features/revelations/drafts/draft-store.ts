import { discardUploadsOfDraft } from '#web/features/uploads/draft-uploads.ts'
import { acquireTabLock, createBroadcast, listTabLocks, type Release } from '#web/lib/tabs.ts'
import type { StoredDraft } from './draft-schema.ts'
import { deleteDraft, hasDatabases, putDraft, readDrafts } from './drafts-database.ts'
import { eraseFormer, readFormer } from './import-former.ts'
import { dropLastWords, eraseLastWords, readLastWords, writeLastWords } from './last-words.ts'

/** More would be lost among themselves. */
export const DRAFTS_MAX = 50

/** Announces to every tab of this browser that there are other drafts. */
export const draftsBroadcast = createBroadcast('drafts')

/** Every letter that is being written on this device, the latest first. */
export async function listDrafts(userId: string): Promise<StoredDraft[]> {
  try {
    if (!hasDatabases()) return await listOfPage(userId)
    const stored = new Map((await readDrafts(userId)).map((draft) => [draft.id, draft]))
    const newer = [...readLastWords(userId), ...readFormer(userId)].filter(
      ({ id, touchedAtMs }) => touchedAtMs > (stored.get(id)?.touchedAtMs ?? 0),
    )
    for (const draft of newer) {
      await putDraft(userId, draft)
      dropLastWords(userId, draft)
      stored.set(draft.id, draft)
    }
    // Only once they are stored otherwise.
    eraseFormer(userId)
    return latestFirst([...stored.values()])
  } catch {
    return listOfPage(userId)
  }
}

/** Of a device without databases. */
async function listOfPage(userId: string): Promise<StoredDraft[]> {
  const former = readFormer(userId)
  const areStored = former.every((draft) => writeLastWords(userId, draft))
  if (areStored) eraseFormer(userId)
  return latestFirst(areStored ? readLastWords(userId) : [...readLastWords(userId), ...former])
}

function latestFirst(drafts: StoredDraft[]): StoredDraft[] {
  return drafts.toSorted((one, other) => other.touchedAtMs - one.touchedAtMs)
}

/** Whether the device has stored it. */
export async function storeDraft(userId: string, draft: StoredDraft): Promise<boolean> {
  const isWritten = writeLastWords(userId, draft)
  if (!hasDatabases()) return isWritten
  try {
    await putDraft(userId, draft)
    dropLastWords(userId, draft)
    return true
  } catch {
    return isWritten
  }
}

/** With its files, here and on the server, unless a letter uses them. */
export async function eraseDraft(
  userId: string,
  id: string,
  { areFilesUsed = false } = {},
): Promise<void> {
  eraseLastWords(userId, id)
  if (!hasDatabases()) return
  await deleteDraft(userId, id).catch(() => undefined)
  if (!areFilesUsed) await discardUploadsOfDraft(userId, id).catch(() => undefined)
  draftsBroadcast.announce()
}

const LOCK_PREFIX = 'draft:'

/** Opens a draft in this tab alone; undefined when another has it, unless it is taken from there. */
export function lockDraft(
  id: string,
  options: { onLost: () => void; steal?: boolean },
): Promise<Release | undefined> {
  return acquireTabLock(LOCK_PREFIX + id, options)
}

/** The ids of those that a tab has open. */
export function listOpenDrafts(): Promise<Set<string>> {
  return listTabLocks(LOCK_PREFIX)
}
