import { useState } from 'react'
import type { User } from '#contract/profiles.ts'
import { ProfileForm } from '#web/features/profiles/profile-form.tsx'
import type { Profile } from '#web/features/profiles/profiles.queries.ts'
import { requestHeadingFocus } from '#web/lib/heading-focus.ts'
import { ProfileCover } from './profile-cover.tsx'
import { ProfileHeader } from './profile-header.tsx'
import { ProfileTabs } from './profile-tabs.tsx'

interface ProfileViewProps {
  profile: Profile
  /** The signed-in user when this is their own profile. */
  me: User | null
}

export function ProfileView({ profile, me }: ProfileViewProps) {
  const [isEditing, setEditing] = useState(false)
  // The profile is asked again and again, the session once: another device may have changed it since.
  const own = me && { ...me, ...profile.user }
  const edit = (isWanted: boolean) => {
    requestHeadingFocus()
    // The form is longer than what it takes the place of.
    window.scrollTo(0, 0)
    setEditing(isWanted)
  }
  return (
    <>
      <ProfileCover />
      <div className="content">
        {own && isEditing ? (
          <ProfileForm user={own} onClose={() => edit(false)} />
        ) : (
          <ProfileHeader profile={profile} me={own} onEdit={() => edit(true)} />
        )}
        <ProfileTabs profile={profile} me={own} />
      </div>
    </>
  )
}
