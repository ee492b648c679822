import { useQuery } from '@tanstack/react-query'
import { Bell, BellRing, CalendarPlus } from 'lucide-react'
import { useLocation } from 'react-router'
import { getCalendarFile } from '#contract/reminders.ts'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { hasDeliveryKey } from '#web/lib/delivery-key.ts'
import { paths } from '#web/lib/paths.ts'
import { Button, ButtonLink } from '#web/ui/button.tsx'
import { reminderQuery, useSaveCalendarFile, useTurnReminder } from './reminders.queries.ts'

interface ReminderToggleProps {
  revelationId: string
}

/** « Me rappeler »; for a visitor, a link to sign in, since a mail needs an address. */
export function ReminderToggle({ revelationId }: ReminderToggleProps) {
  const { user } = useSession()
  const location = useLocation()
  if (user) return <Toggle revelationId={revelationId} />
  // A personal key alone gives no right to reminders, so that no account is offered for them.
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
  // A personal key alone gives no right to reminders.
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

interface ReminderLineProps {
  revelationId: string
}

export function ReminderLine({ revelationId }: ReminderLineProps) {
  const { user } = useSession()
  return user && <Line revelationId={revelationId} />
}

function Line({ revelationId }: ReminderLineProps) {
  const { data: isOn } = useQuery(reminderQuery(revelationId))
  return (
    <p role="status" className="text-ink-soft text-sm empty:hidden">
      {isOn && 'Un e-mail vous le rappelle la veille, puis quand elle s’ouvre.'}
    </p>
  )
}

export function CalendarButton({ revelation }: { revelation: Revelation }) {
  const { id, visibility } = revelation
  const { mutate: save, isPending } = useSaveCalendarFile(id)
  const add = () => {
    if (visibility === 'public' && opensCalendarFiles()) {
      window.location.assign(getCalendarFile.url.replace(':id', id))
    } else save()
  }
  return (
    <Button
      variant="secondary"
      busy={isPending}
      icon={<CalendarPlus aria-hidden="true" className="size-5" />}
      onClick={add}
    >
      Ajouter à mon calendrier
    </Button>
  )
}

/**
 * An iPhone or iPad offers an event to its calendar when it navigates to the file; a blob is only stored. Navigation carries
 * neither session nor key, so that it is for public revelations.
 */
function opensCalendarFiles(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return (
    /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
  )
}
