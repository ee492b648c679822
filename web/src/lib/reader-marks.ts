import { removeStored, storedIds } from './storage.ts'

const OPENED = 'opened-letters'
const KEPT = 'kept-letters'

/** What was opened on this device with a personal link: its bearer has no account that remembers. */
export const openedHere = storedIds(OPENED)

/** Letters whose reader wants to say nothing, for now. */
export const keptHere = storedIds(KEPT)

/** Whoever comes next finds nothing of what whoever left had read. */
export function eraseReaderMarks(): void {
  for (const name of [OPENED, KEPT]) removeStored(localStorage, name)
}

export function eraseReaderMarksOf(revelationId: string): void {
  openedHere.remove(revelationId)
  keptHere.remove(revelationId)
}
