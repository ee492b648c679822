import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing } from 'lucide-react'
import { useLocation } from 'react-router'
import { paths } from '#web/app/paths.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { hasDeliveryKey } from '#web/lib/delivery-key.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { reminderQuery, useTurnReminder } from './reminders.queries.ts'

interface ReminderToggleProps {
  revelationId: string
}

/** « Me rappeler »: for a visitor the way to sign in, since a mail needs an address. */
export function ReminderToggle({ revelationId }: ReminderToggleProps) {
  const { user } = useSession()
  const location = useLocation()
  if (user) return <Toggle revelationId={revelationId} />
  // A personal key alone gives no right to be reminded: an account would promise what it may not get.
  if (hasDeliveryKey(revelationId)) return null
  return (
    <ButtonLink
      variant="secondary"
      to={paths.login}
      state={{ from: location }}
      icon={<Bell aria-hidden="true" className="size-5" />}
    >
      Me rappeler
    </ButtonLink>
  )
}

function Toggle({ revelationId }: ReminderToggleProps) {
  const { data: isOn = false, isPending, error } = useQuery(reminderQuery(revelationId))
  const { mutate: turn } = useTurnReminder(revelationId)
  // Whoever reads by a personal link alone has no right of their own to be reminded by.
  if (error) return null
  const Icon = isOn ? BellRing : Bell
  return (
    <Button
      variant="secondary"
      aria-pressed={isOn}
      disabled={isPending}
      icon={<Icon aria-hidden="true" className={isOn ? 'size-5 text-ember-ink' : 'size-5'} />}
      onClick={() => turn(!isOn)}
    >
      Me rappeler
    </Button>
  )
}
