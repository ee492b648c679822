import { useEffect, useRef } from 'react'
import { useSession } from '#web/features/auth/session.tsx'
import { erasePlayedPlaces } from '#web/features/media/playback-memory.ts'
import {
  checkOffline,
  dropOfflineOfAccounts,
} from '#web/features/offline-letters/forget-offline.ts'
import { deleteOfflineLetters } from '#web/features/offline-letters/offline-database.ts'
import { deleteShared, deleteUploadsOf } from '#web/features/uploads/upload-databases.ts'
import { deleteRecordingsOf } from '#web/features/voice-messages/recordings-database.ts'
import { areDraftsOwned, claimDrafts, eraseAllDrafts } from '#web/lib/drafts.ts'
import { onNetworkBack } from '#web/lib/online.ts'
import { eraseReaderMarks } from '#web/lib/reader-marks.ts'
import { deleteReplyVoices } from '#web/lib/reply-voices-database.ts'
import { onSignOut } from '#web/lib/sign-out-events.ts'

/** Clears the device at sign-out; after an expired session what is stored waits for the same person. */
export function useClearDeviceData(): void {
  const { user, hasExpired } = useSession()
  const userId = user?.id
  const formerId = useRef<string>(undefined)
  useEffect(() => onSignOut(clearDeviceData), [])
  // Drafts go after the pages, which store them once more as they unmount, and when it was another tab that signed out or in.
  useEffect(() => {
    const hasLeft = userId === undefined ? !areDraftsOwned() : formerId.current !== userId
    if (formerId.current !== undefined && hasLeft) eraseAllDrafts(formerId.current)
    if (userId !== undefined) claimDrafts(userId)
    formerId.current = userId
  }, [userId])
  useEffect(() => {
    if (hasExpired) void dropOfflineOfAccounts()
  }, [hasExpired])
}

/** What is kept for reading without a network is looked after on whatever page one comes to, or back to. */
export function useCheckOffline(): void {
  const userId = useSession().user?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: each reader has copies of their own
  useEffect(() => {
    const check = () => void checkOffline()
    check()
    return onNetworkBack(check)
  }, [userId])
}

/** Deletes the voices and files of the account (a dialog has warned of unsent ones), and what it played and read. */
function clearDeviceData(userId: string): void {
  deleteRecordingsOf(userId)
  deleteUploadsOf(userId)
  deleteReplyVoices()
  deleteShared()
  erasePlayedPlaces()
  eraseReaderMarks()
  deleteOfflineLetters()
}
