import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { useSession } from '#web/features/auth/session.tsx'
import { profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { Button } from '#web/ui/button.tsx'
import { MissingPerson, ProfileError, SignInFirst } from './profile-failures.tsx'
import { ProfileSkeleton } from './profile-skeleton.tsx'
import { ProfileView } from './profile-view.tsx'

export function ProfilePage() {
  const { id } = useParams()
  const { user } = useSession()
  if (id === undefined && !user) return <SignInFirst />
  const wanted = id?.trim() ?? user?.id
  if (!wanted) return <ProfileError>ID utilisateur requis</ProfileError>
  return <ProfileOf key={wanted} id={wanted} />
}

function ProfileOf({ id }: { id: string }) {
  const { user } = useSession()
  const { data: profile, error, isFetching, refetch } = useQuery(profileQuery(id))
  if (isAbsent(error)) return <MissingPerson />
  if (profile)
    return <ProfileView profile={profile} me={user?.id === profile.user.id ? user : null} />
  if (!error) return <ProfileSkeleton />
  return (
    <ProfileError
      action={
        <Button variant="secondary" busy={isFetching} onClick={() => refetch()}>
          Réessayer
        </Button>
      }
    >
      {errorSentence(error, 'Erreur lors du chargement du profil')}
    </ProfileError>
  )
}

/** Nobody, somebody hidden, or an address that names nobody: the same answer to all. */
function isAbsent(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.code === 'invalid_input')
}
