import { CalendarPlus } from 'lucide-react'
import { getCalendarFile } from '#contract/reminders.ts'
import type { Revelation } from '#contract/revelations.ts'
import { Button } from '#web/ui/button.tsx'
import { useSaveCalendarFile } from './reminders.queries.ts'

/** Puts the reveal into the reader's own calendar. */
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
 * An iPhone or iPad offers the event to its calendar when it is led to the file, and only stores a file that a page made.
 * Being led there carries neither session nor key, so it is for what everybody may see.
 */
function opensCalendarFiles(): boolean {
  const { userAgent, maxTouchPoints } = navigator
  return (
    /iPhone|iPad|iPod/.test(userAgent) || (userAgent.includes('Macintosh') && maxTouchPoints > 1)
  )
}
