import { useSession } from '#web/features/auth/session.tsx'
import { useOldEventsOwner } from '#web/features/calendar/use-old-events-owner.ts'
import { useRecordingsEnd } from '#web/features/recordings/use-recordings-end.ts'
import { useDraftsEnd } from '#web/features/revelations/use-drafts-end.ts'
import { useUploadsEnd } from '#web/features/uploads/use-uploads-end.ts'
import { Layout } from './layout.tsx'
import { WaitingScreen } from './waiting-screen.tsx'

/** Around every page, as soon as it is known whether somebody is signed in. */
export function Root() {
  const { isInitialised } = useSession()
  return isInitialised ? <InitialisedRoot /> : <WaitingScreen>Initialisation...</WaitingScreen>
}

function InitialisedRoot() {
  useDraftsEnd()
  useOldEventsOwner()
  useRecordingsEnd()
  useUploadsEnd()
  return <Layout />
}
