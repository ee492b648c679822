import { useQuery } from '@tanstack/react-query'
import { useSession } from '#web/features/auth/session.tsx'
import { reminderQuery } from './reminders.queries.ts'

interface ReminderLineProps {
  revelationId: string
}

/** What a reminder that is on will do. */
export function ReminderLine({ revelationId }: ReminderLineProps) {
  const { user } = useSession()
  return user && <Line revelationId={revelationId} />
}

function Line({ revelationId }: ReminderLineProps) {
  const { data: isOn } = useQuery(reminderQuery(revelationId))
  return (
    <p role="status" className="text-ink-soft text-sm empty:hidden">
      {isOn && 'Un mail vous le rappelle la veille, puis quand elle s’ouvre.'}
    </p>
  )
}
