import { useQuery } from '@tanstack/react-query'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { FreePlanRoom } from '#web/features/subscriptions/free-plan-room.tsx'

/** What the plan still allows, said before one writes. */
export function OwnRoom() {
  const { id } = useSignedInUser()
  const { data } = useQuery({ ...profileQuery(id), refetchOnMount: 'always' })
  return data && <FreePlanRoom live={data.stats.total_revelations} />
}
