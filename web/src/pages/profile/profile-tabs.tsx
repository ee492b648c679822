import type { ReactNode } from 'react'
import type { User } from '#contract/profiles.ts'
import type { Profile } from '#web/features/profiles/profiles.queries.ts'
import { RequestsBadge } from '#web/features/relationships/requests-badge.tsx'
import { Tabs } from '#web/ui/tabs.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { RelationsTab } from './relations-tab.tsx'
import { RevelationsTab } from './revelations-tab.tsx'
import { SettingsTab } from './settings-tab.tsx'
import { SubscriptionTab } from './subscription-tab.tsx'
import { type ProfileTab, useProfileTab, useTabsInSight } from './use-profile-tab.ts'

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
      <Tabs label="Profil" tabs={tabs} value={tab} onChange={openTab} />
    </div>
  )
}
