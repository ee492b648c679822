import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useLocation, useParams } from 'react-router'
import type { User } from '#contract/profiles.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { ProfileForm } from '#web/features/profiles/profile-form.tsx'
import { type Profile, profileQuery } from '#web/features/profiles/profiles.queries.ts'
import { RequestsBadge } from '#web/features/relationships/requests-badge.tsx'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { requestHeadingFocus } from '#web/lib/focus.ts'
import { paths } from '#web/lib/paths.ts'
import NobodyHere from '#web/ui/art/nobody-here.svg?react'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { EmptyPage } from '#web/ui/empty-state.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { ProfileCover, ProfileHeader, ProfileSkeleton } from './profile-header.tsx'
import { RelationsTab } from './relations-tab.tsx'
import { RevelationsTab } from './revelations-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { SubscriptionTab } from './subscription-tab.tsx'
import { type ProfileTab, useProfileTab, useScrollToTabs } from './use-profile-tab.ts'

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

/** Missing, hidden, or an invalid id: the page is the same for all. */
function isAbsent(error: Error | null): boolean {
  return error instanceof ApiError && (error.status === 404 || error.code === 'invalid_input')
}

interface ProfileViewProps {
  profile: Profile
  /** The signed-in user when this is their own profile. */
  me: User | null
}

function ProfileView({ profile, me }: ProfileViewProps) {
  const [isEditing, setEditing] = useState(false)
  // The profile is refetched, the session is not: another device may have changed it since.
  const own = me && { ...me, ...profile.user }
  const edit = (isWanted: boolean) => {
    requestHeadingFocus()
    // The form is longer than what it replaces.
    window.scrollTo(0, 0)
    setEditing(isWanted)
  }
  return (
    <>
      <ProfileCover />
      <div className="container-page">
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

interface ProfileTabsProps {
  profile: Profile
  me: User | null
}

function ProfileTabs({ profile, me }: ProfileTabsProps) {
  const { user, stats } = profile
  const tabs: { value: ProfileTab; label: ReactNode; content: ReactNode }[] = [
    {
      value: 'apercu',
      label: "Vue d'ensemble",
      content: <OverviewTab userId={user.id} stats={stats} isOwn={me !== null} />,
    },
    {
      value: 'revelations',
      label: 'Révélations',
      content: <RevelationsTab userId={user.id} isOwn={me !== null} />,
    },
  ]
  if (me) {
    tabs.push(
      {
        value: 'relations',
        label: (
          <>
            Relations
            <RequestsBadge />
          </>
        ),
        content: <RelationsTab />,
      },
      { value: 'parametres', label: 'Paramètres', content: <SettingsTab user={me} /> },
      { value: 'abonnements', label: 'Abonnements', content: <SubscriptionTab stats={stats} /> },
    )
  }
  const { tab, openTab } = useProfileTab(tabs.map(({ value }) => value))
  const tabsRef = useScrollToTabs()
  return (
    <div ref={tabsRef} className="mt-6 scroll-mt-20">
      <Tabs label="Profil" tabs={tabs} value={tab} onChange={openTab} />
    </div>
  )
}

function SignInFirst() {
  const location = useLocation()
  return (
    <EmptyPage
      art={NobodyHere}
      title="Connexion requise"
      actions={
        <ButtonLink to={paths.login} state={{ from: location }}>
          Se connecter
        </ButtonLink>
      }
    >
      Votre profil vous attend de l’autre côté.
    </EmptyPage>
  )
}

function MissingPerson() {
  return (
    <EmptyPage art={NobodyHere} title="Profil non trouvé" actions={<BackHome />}>
      Cette personne n’est pas ici, ou n’y est plus.
    </EmptyPage>
  )
}

interface ProfileErrorProps {
  children: string
  action?: ReactNode
}

function ProfileError({ children, action }: ProfileErrorProps) {
  return (
    <EmptyPage
      art={NobodyHere}
      title="Erreur"
      actions={
        <>
          {action}
          <BackHome />
        </>
      }
    >
      <span role="alert">{children}</span>
    </EmptyPage>
  )
}

function BackHome() {
  return <ButtonLink to={paths.home}>Retour à l'accueil</ButtonLink>
}
