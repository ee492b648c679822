import { CalendarPlus, UserPlus } from 'lucide-react'
import { paths } from '#web/app/paths.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { ButtonLink } from '#web/ui/button.tsx'
import type { CircleTab } from './use-circle-tab.ts'

/** The main action at the bottom of a phone; the calendar has its own. */
export function ThumbBar({ tab }: { tab: CircleTab }) {
  if (tab === 'calendrier') return null
  return (
    <div className="sticky bottom-0 z-30 mt-6 sm:hidden">
      <ActionBar>
        {tab === 'contacts' ? (
          <ButtonLink
            large
            to={paths.ownRelations}
            icon={<UserPlus aria-hidden="true" className="size-5" />}
          >
            Ajouter un contact
          </ButtonLink>
        ) : (
          <ButtonLink
            large
            to={paths.deliver}
            icon={<CalendarPlus aria-hidden="true" className="size-5" />}
          >
            Programmer une livraison
          </ButtonLink>
        )}
      </ActionBar>
    </div>
  )
}
