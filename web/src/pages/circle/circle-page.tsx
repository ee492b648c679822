import { CalendarTab } from './calendar-tab.tsx'

export function CirclePage() {
  return (
    <div className="content">
      <h1>Cercle Privé</h1>
      <CalendarTab />
    </div>
  )
}
