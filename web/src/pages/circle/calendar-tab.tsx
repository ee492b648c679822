import { CalendarView } from '#web/features/calendar/calendar-view.tsx'

export function CalendarTab() {
  return <CalendarView />
}
