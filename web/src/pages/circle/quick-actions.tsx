import { AudioLines, CalendarPlus, Settings, UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/app/paths.ts'

/** Where one goes from here, in one tap. */
export function QuickActions() {
  return (
    <nav aria-label="Raccourcis du cercle" className="mt-5">
      <ul className="grid grid-cols-4 gap-2 sm:gap-3">
        <Shortcut to={paths.deliver} icon={<CalendarPlus aria-hidden="true" />}>
          Nouvelle livraison
        </Shortcut>
        <Shortcut to={paths.ownRelations} icon={<UserPlus aria-hidden="true" />}>
          Ajouter un contact
        </Shortcut>
        <Shortcut to={paths.sounds} icon={<AudioLines aria-hidden="true" />}>
          Messages audio
        </Shortcut>
        <Shortcut to={paths.ownSettings} icon={<Settings aria-hidden="true" />}>
          Réglages du cercle
        </Shortcut>
      </ul>
    </nav>
  )
}

interface ShortcutProps {
  to: string
  icon: ReactNode
  children: string
}

function Shortcut({ to, icon, children }: ShortcutProps) {
  return (
    <li className="grid">
      <Link
        to={to}
        className="flex min-h-11 flex-col items-center gap-1.5 rounded-card px-1 py-2 text-center font-semibold text-xs leading-tight hover:bg-sunken sm:border sm:border-line sm:bg-surface sm:px-3 sm:py-3 sm:text-sm lg:flex-row lg:gap-3 lg:text-left lg:text-base"
      >
        <span className="inline-flex size-11 shrink-0 items-center justify-center rounded-full bg-sunken text-wax-ink [&>svg]:size-5">
          {icon}
        </span>
        {children}
      </Link>
    </li>
  )
}
