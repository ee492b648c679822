import { holdInThisTab, listHeld, type Release } from '#web/lib/tab-locks.ts'

const PREFIX = 'recording:'

/** A recording belongs to one tab at a time: the one that records, shows or sends it. Undefined when taken already. */
export function holdRecording(id: string): Promise<Release | undefined> {
  return holdInThisTab(PREFIX + id)
}

/** Those taken by this tab or another. */
export function listHeldRecordings(): Promise<Set<string>> {
  return listHeld(PREFIX)
}
