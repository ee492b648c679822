import type { Revelation } from '#contract/revelations.ts'
import { CalendarButton } from '#web/features/reminders/calendar-button.tsx'
import { ReminderLine } from '#web/features/reminders/reminder-line.tsx'
import { ReminderToggle } from '#web/features/reminders/reminder-toggle.tsx'

/** So that nobody misses the instant. */
export function WaitingActions({ revelation }: { revelation: Revelation }) {
  return (
    <div className="mt-4 print:hidden flex flex-col items-center gap-2">
      <div className="grid gap-2 sm:flex">
        <ReminderToggle revelationId={revelation.id} />
        <CalendarButton revelation={revelation} />
      </div>
      <ReminderLine revelationId={revelation.id} />
    </div>
  )
}
