import { useSession } from '#web/features/auth/session.tsx'
import { useLegacyEventsOwner } from '#web/features/calendar/legacy-events-owner.ts'
import { useDraftsEnd } from '#web/features/revelations/use-drafts-end.ts'
import { useDeleteUploadsOnSignOut } from '#web/features/uploads/use-delete-uploads-on-sign-out.ts'
import { useDeleteRecordingsOnSignOut } from '#web/features/voice-messages/recordings-database.ts'
import { Layout } from './layout.tsx'
import { WaitingScreen } from './waiting-screen.tsx'

/** Around every page, as soon as it is known whether somebody is signed in. */
export function Root() {
  const { isInitialised } = useSession()
  return isInitialised ? <InitialisedRoot /> : <WaitingScreen>Initialisation...</WaitingScreen>
}

function InitialisedRoot() {
  useDraftsEnd()
  useLegacyEventsOwner()
  useDeleteRecordingsOnSignOut()
  useDeleteUploadsOnSignOut()
  return <Layout />
}
