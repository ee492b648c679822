import { useEffect, useState } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { hasDatabases } from '#web/features/revelations/drafts/drafts-database.ts'
import { listDraftUploads } from '#web/features/uploads/draft-uploads.ts'
import { uploadsBroadcast } from '#web/features/uploads/uploads-store.ts'

/** Whether this device has a copy of each file of the draft. */
export type KeptFiles = 'none' | 'kept' | 'copying' | 'too large'

export function useKeptFiles(draftId: string): KeptFiles {
  const { id: userId } = useSignedInUser()
  const [kept, setKept] = useState<KeptFiles>('none')
  useEffect(() => {
    if (!hasDatabases()) return
    let isOver = false
    const read = async () => {
      const uploads = await listDraftUploads(userId, draftId).catch(() => [])
      if (isOver) return
      if (uploads.length === 0) setKept('none')
      else if (uploads.every(({ hasFile }) => hasFile)) setKept('kept')
      else setKept(uploads.some(({ isTooLarge }) => isTooLarge) ? 'too large' : 'copying')
    }
    void read()
    const stop = uploadsBroadcast.listen(() => void read())
    return () => {
      isOver = true
      stop()
    }
  }, [userId, draftId])
  return kept
}
