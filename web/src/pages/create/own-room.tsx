import { useQuery } from '@tanstack/react-query'
import { ResendButton } from '#web/features/account/resend-button.tsx'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { FreePlanNotice } from '#web/features/subscriptions/plan-limits.tsx'
import { Notice } from '#web/ui/notice.tsx'

/** What the plan and an address that is not proved still allow, said before one writes. */
export function OwnRoom() {
  const { id, email_verified } = useSignedInUser()
  const { data } = useQuery({ ...profileQuery(id), refetchOnMount: 'always' })
  return (
    <>
      {data && <FreePlanNotice live={data.stats.total_revelations} />}
      {!email_verified && (
        <Notice title="Votre adresse n’est pas encore vérifiée" action={<ResendButton />}>
          D’ici là, vous écrivez à 3&nbsp;personnes par jour, et chacune reçoit de vous 2&nbsp;mails
          par jour au plus&nbsp;: les suivants partent ensemble le lendemain.
        </Notice>
      )}
    </>
  )
}
