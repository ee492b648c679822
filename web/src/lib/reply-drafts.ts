import * as z from 'zod/mini'
import { isReadersDevice } from './delivery-key.ts'
import { DRAFT_PREFIX } from './drafts.ts'
import { storedValue } from './storage.ts'

/** What is written under an id: what changes is another reply, so that an id that arrived is never words that did not. */
const draftSchema = z.object({ id: z.string(), content: z.string() })
export type ReplyDraft = z.infer<typeof draftSchema>

/** The words of a reply that was begun. On a device that nobody called their own, the tab alone has them. */
export function storedReplyDraft(revelationId: string) {
  const of = (storage: () => Storage) =>
    storedValue(
      `${DRAFT_PREFIX}reply:${revelationId}`,
      (stored) => draftSchema.parse(stored),
      storage,
    )
  const ofDevice = of(() => localStorage)
  const ofTab = of(() => sessionStorage)
  const remove = () => {
    ofDevice.remove()
    ofTab.remove()
  }
  return {
    read: () => ofTab.read() ?? ofDevice.read(),
    write: (draft: ReplyDraft) => {
      remove()
      if (isReadersDevice(revelationId)) ofDevice.write(draft)
      else ofTab.write(draft)
    },
    remove,
  }
}

/** The reader said whether the device is theirs: what they began moves there, or away from it. */
export function moveReplyDraft(revelationId: string): void {
  const stored = storedReplyDraft(revelationId)
  const draft = stored.read()
  if (draft) stored.write(draft)
}
