import { useEffect, useState } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { hasDatabases } from '#web/features/revelations/drafts/drafts-database.ts'
import { listDraftUploads } from '#web/features/uploads/draft-uploads.ts'
import { uploadsBroadcast } from '#web/features/uploads/uploads-store.ts'

/** Whether this device has a copy of each file of the draft. */
export type DraftFilesState = 'none' | 'stored' | 'copying' | 'too large'

export function useDraftFiles(draftId: string): DraftFilesState {
  const { id: userId } = useSignedInUser()
  const [state, setState] = useState<DraftFilesState>('none')
  useEffect(() => {
    if (!hasDatabases()) return
    let isOver = false
    const read = async () => {
      const uploads = await listDraftUploads(userId, draftId).catch(() => [])
      if (isOver) return
      if (uploads.length === 0) setState('none')
      else if (uploads.every(({ hasFile }) => hasFile)) setState('stored')
      else setState(uploads.some(({ isTooLarge }) => isTooLarge) ? 'too large' : 'copying')
    }
    void read()
    const stop = uploadsBroadcast.listen(() => void read())
    return () => {
      isOver = true
      stop()
    }
  }, [userId, draftId])
  return state
}
