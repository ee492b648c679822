import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { upcomingCountQuery } from '#web/features/calendar/calendar.queries.ts'
import { CalendarView } from '#web/features/calendar/calendar-view.tsx'
import { circleMembersQuery, circleStatisticsQuery } from '#web/features/circle/circle.queries.ts'
import { voiceMessagesCountQuery } from '#web/features/voice-messages/voice-messages.queries.ts'
import { formatShortCount } from '#web/lib/format.ts'
import { paths } from '#web/lib/paths.ts'
import { Tabs } from '#web/ui/tabs.tsx'
import { ContactsTab } from './contacts-tab.tsx'
import { DeliveriesTab } from './deliveries-tab.tsx'
import { StatisticsTab } from './statistics-tab.tsx'
import type { CircleTab } from './use-circle-tab.ts'

interface CircleTabsProps {
  tab: CircleTab
  onOpen: (tab: CircleTab) => void
}

/** One tab is a link to a page of its own, so that arrows move the focus and Enter opens. */
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
      content: <CalendarView />,
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

/** Counts that failed to load are absent: their tabs show the failure. */
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

interface TabLabelProps {
  count: number | undefined
  /** The unit for screen readers, where the label does not name it. */
  unit?: string
  children: string
}

function TabLabel({ count, unit, children }: TabLabelProps) {
  return (
    <>
      {children}{' '}
      {count !== undefined && (
        <span className="tabular-digits inline-flex h-6 min-w-6 items-center justify-center rounded-full bg-sunken px-1.5 text-ink-soft text-sm">
          {formatShortCount(count)} {unit && <span className="sr-only">{unit}</span>}
        </span>
      )}
    </>
  )
}
