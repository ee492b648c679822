import { lazy, Suspense, useState } from 'react'
import type { EndpointOutput } from '#contract/endpoint.ts'
import type { getUser, User } from '#contract/profiles.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ProfileCover } from './profile-cover.tsx'
import { ProfileHeader } from './profile-header.tsx'
import { ProfileTabs } from './profile-tabs.tsx'

// Only its owner ever edits a profile, and seldom.
const ProfileForm = lazy(async () => ({
  default: (await import('#web/features/profiles/profile-form.tsx')).ProfileForm,
}))

export type Profile = EndpointOutput<typeof getUser>

interface ProfileViewProps {
  profile: Profile
  /** The signed-in user when this is their own profile. */
  me: User | null
}

export function ProfileView({ profile, me }: ProfileViewProps) {
  const [isEditing, setEditing] = useState(false)
  return (
    <>
      <ProfileCover />
      <div className="content">
        {me && isEditing ? (
          <Suspense fallback={<Skeleton className="mt-6 h-96 rounded-card!" />}>
            <ProfileForm user={me} onClose={() => setEditing(false)} />
          </Suspense>
        ) : (
          <ProfileHeader profile={profile} me={me} onEdit={() => setEditing(true)} />
        )}
        <ProfileTabs profile={profile} me={me} />
      </div>
    </>
  )
}
