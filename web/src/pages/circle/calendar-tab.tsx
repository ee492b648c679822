export function CalendarTab() {
  return <p>Calendrier</p>
}
