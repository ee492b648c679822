import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { upcomingCountQuery } from '#web/features/calendar/calendar.queries.ts'
import { circleMembersQuery, circleStatisticsQuery } from '#web/features/circle/circle.queries.ts'
import { voiceMessagesCountQuery } from '#web/features/voice-messages/voice-messages.queries.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { CalendarTab } from './calendar-tab.tsx'
import { ContactsTab } from './contacts-tab.tsx'
import { DeliveriesTab } from './deliveries-tab.tsx'
import { StatisticsTab } from './statistics-tab.tsx'
import { TabLabel } from './tab-label.tsx'
import type { CircleTab } from './use-circle-tab.ts'

interface CircleTabsProps {
  tab: CircleTab
  onOpen: (tab: CircleTab) => void
}

/** One of them leads to a page of its own: the arrows walk along them, Enter opens. */
export function CircleTabs({ tab, onOpen }: CircleTabsProps) {
  const navigate = useNavigate()
  const counts = useCounts()
  const tabs: { value: CircleTab | 'voix'; label: ReactNode; content: ReactNode }[] = [
    {
      value: 'livraisons',
      label: <TabLabel count={counts.deliveries}>Livraisons</TabLabel>,
      content: <DeliveriesTab />,
    },
    {
      value: 'voix',
      label: <TabLabel count={counts.sounds}>Messages Audio</TabLabel>,
      content: null,
    },
    {
      value: 'contacts',
      label: <TabLabel count={counts.members}>Contacts</TabLabel>,
      content: <ContactsTab />,
    },
    {
      value: 'calendrier',
      label: (
        <TabLabel
          count={counts.upcoming}
          unit={
            counts.upcoming === undefined || counts.upcoming < 2
              ? 'ouverture à venir'
              : 'ouvertures à venir'
          }
        >
          Calendrier
        </TabLabel>
      ),
      content: <CalendarTab />,
    },
    { value: 'statistiques', label: 'Statistiques', content: <StatisticsTab /> },
  ]
  return (
    <div className="mt-5">
      <Tabs
        label="Cercle Privé"
        activation="manual"
        tabs={tabs}
        value={tab}
        onChange={(next) => (next === 'voix' ? navigate(paths.sounds) : onOpen(next))}
      />
    </div>
  )
}

/** What cannot be counted is not said: the tab behind tells what failed. */
function useCounts() {
  const { data: statistics } = useQuery(circleStatisticsQuery())
  const { data: members } = useQuery(circleMembersQuery)
  const { data: sounds } = useQuery(voiceMessagesCountQuery())
  const { data: upcoming } = useQuery(upcomingCountQuery())
  return {
    deliveries: statistics?.total_revelations,
    members: members?.length,
    sounds,
    upcoming,
  }
}
