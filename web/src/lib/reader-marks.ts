import { isReadersDevice, marksOfTab, setMarksOfTab } from './delivery-key.ts'
import { removeStored, storedIds } from './storage.ts'

const OPENED = 'opened-letters'
const REPLY_DEFERRED = 'kept-letters'

/** What was opened on this device with a personal link: its bearer has no account that remembers. */
export const openedHere = marks(OPENED)

/** Letters that their reader does not answer for now. */
export const replyDeferredHere = marks(REPLY_DEFERRED)

/** On a device that nobody called their own, the tab alone remembers, as long as it has the key. */
function marks(name: string) {
  const ofDevice = storedIds(name)
  const others = (id: string) => marksOfTab(id)?.filter((mark) => mark !== name) ?? []
  return {
    has: (id: string) => ofDevice.has(id) || (marksOfTab(id)?.includes(name) ?? false),
    add: (id: string) => {
      if (!isReadersDevice(id) && marksOfTab(id)) setMarksOfTab(id, [...others(id), name])
      else ofDevice.add(id)
    },
    remove: (id: string) => {
      ofDevice.remove(id)
      setMarksOfTab(id, others(id))
    },
  }
}

/** The reader said whether the device is theirs: what is remembered moves there, or away from it. */
export function moveReaderMarks(revelationId: string): void {
  for (const mark of [openedHere, replyDeferredHere]) {
    if (!mark.has(revelationId)) continue
    mark.remove(revelationId)
    mark.add(revelationId)
  }
}

/** Whoever comes next finds nothing of what whoever left had read. */
export function eraseReaderMarks(): void {
  for (const name of [OPENED, REPLY_DEFERRED]) removeStored(localStorage, name)
}

export function eraseReaderMarksOf(revelationId: string): void {
  openedHere.remove(revelationId)
  replyDeferredHere.remove(revelationId)
}
