import { useQuery } from '@tanstack/react-query'
import { ALBUM_MAX_FILES } from '#contract/albums.ts'
import { ResendButton } from '#web/features/account/resend-button.tsx'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { FreePlanNotice } from '#web/features/subscriptions/plan-limits.tsx'
import { counted } from '#web/lib/format.ts'
import { Notice } from '#web/ui/notice.tsx'

export function SharedNotice({ fileCount }: { fileCount: number }) {
  return (
    <Notice tone="success" title="Ce que vous avez partagé est dans cette lettre">
      {fileCount > 1 &&
        `${counted(Math.min(fileCount, ALBUM_MAX_FILES), 'fichier', 'fichiers')}, dans l’ordre où vous les avez choisis. `}
      Ajoutez quelques mots, choisissez le jour, puis posez le sceau.
    </Notice>
  )
}

/** The limits of the plan and of an unverified address. */
export function OwnLimits() {
  const { id, email_verified } = useSignedInUser()
  const { data } = useQuery({ ...profileQuery(id), refetchOnMount: 'always' })
  return (
    <>
      {data && <FreePlanNotice sealed={data.stats.pending_revelations} />}
      {!email_verified && (
        <Notice title="Votre adresse n’est pas encore vérifiée" action={<ResendButton />}>
          D’ici là, vous écrivez à 3&nbsp;personnes par jour, et chacune reçoit de vous
          2&nbsp;e-mails par jour au plus&#8239;: les suivants partent ensemble le lendemain.
        </Notice>
      )}
    </>
  )
}
