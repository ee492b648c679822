import { type ReactNode, Suspense } from 'react'
import type { User } from '#contract/profiles.ts'
import { RequestsBadge } from '#web/features/relationships/requests-badge.tsx'
import { lazyPart } from '#web/lib/lazy-part.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { OverviewTab } from './overview-tab.tsx'
import type { Profile } from './profile-view.tsx'
import { RevelationsTab } from './revelations-tab.tsx'
import { type ProfileTab, useProfileTab, useTabsInSight } from './use-profile-tab.ts'

const RelationsTab = lazyPart(() => import('./relations-tab.tsx'), 'RelationsTab')
const SettingsTab = lazyPart(() => import('./settings-tab.tsx'), 'SettingsTab')
const SubscriptionTab = lazyPart(() => import('./subscription-tab.tsx'), 'SubscriptionTab')

interface ProfileTabsProps {
  profile: Profile
  me: User | null
}

export function ProfileTabs({ profile, me }: ProfileTabsProps) {
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
  const inSight = useTabsInSight()
  return (
    <div ref={inSight} className="mt-6 scroll-mt-20">
      <Tabs
        label="Profil"
        tabs={tabs.map(({ content, ...named }) => ({
          ...named,
          content: <Suspense fallback={<TabSkeleton />}>{content}</Suspense>,
        }))}
        value={tab}
        onChange={openTab}
      />
    </div>
  )
}

function TabSkeleton() {
  return (
    <div role="status">
      <span className="sr-only">Chargement de l’onglet</span>
      <Skeleton className="h-80 rounded-card!" />
    </div>
  )
}
