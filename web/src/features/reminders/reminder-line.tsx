import { useQuery } from '@tanstack/react-query'
import type { User } from '#contract/profiles.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { reminderQuery } from './reminders.queries.ts'

interface ReminderLineProps {
  revelationId: string
}

/** What a reminder that is on will do. */
export function ReminderLine({ revelationId }: ReminderLineProps) {
  const { user } = useSession()
  if (!user) return null
  return <Line revelationId={revelationId} user={user} />
}

function Line({ revelationId, user }: ReminderLineProps & { user: User }) {
  const { data: isOn } = useQuery(reminderQuery(revelationId))
  return (
    <p role="status" className="text-ink-soft text-sm empty:hidden">
      {isOn &&
        (user.email_verified
          ? 'Un mail vous le rappelle la veille, puis quand elle s’ouvre.'
          : 'Vérifiez votre adresse\u00A0: le rappel ne part que vers une adresse vérifiée.')}
    </p>
  )
}
