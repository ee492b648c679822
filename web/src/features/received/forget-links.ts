import { useQueryClient } from '@tanstack/react-query'
import { dropOfflineOfLink } from '#web/features/offline-letters/forget-offline.ts'
import { itemKey } from '#web/features/revelations/revelation-cache.ts'
import { forgetDeliveryKey } from '#web/lib/delivery-key.ts'
import { eraseReaderMarksOf } from '#web/lib/reader-marks.ts'
import { storedReplyDraft } from '#web/lib/reply-drafts.ts'
import { deleteReplyVoice } from '#web/lib/reply-voice-store.ts'

/** The device forgets the links of letters, and all that it knew and was told by them. */
export function useForgetLinks(): (ids: string[]) => void {
  const client = useQueryClient()
  return (ids) => {
    for (const id of ids) {
      forgetDeliveryKey(id)
      eraseReaderMarksOf(id)
      storedReplyDraft(id).remove()
      void deleteReplyVoice(id).catch(() => undefined)
      client.removeQueries({ queryKey: itemKey(id) })
      void dropOfflineOfLink(id)
    }
  }
}
