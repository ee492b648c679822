import { CircleUserRound, House, LockKeyhole, type LucideIcon, Mails, PenLine } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { NavLink } from 'react-router'
import { WaitingBadge } from '#web/features/received/waiting-badge.tsx'
import { RequestsBadge } from '#web/features/relationships/requests-badge.tsx'
import { paths } from '#web/lib/paths.ts'

/** On a phone, the places of whoever is signed in, under the thumb; all others are in the menu of the header. */
export function BottomBar() {
  useKeyboardMark()
  return (
    <nav
      aria-label="Raccourcis"
      className="bottom-bar theme-night @container fixed inset-x-0 bottom-0 z-30 border-line border-t bg-ground pb-[env(safe-area-inset-bottom)] text-ink print:hidden"
    >
      <ul className="grid h-16 grid-cols-5">
        <Place to={paths.home} icon={House} label="Accueil" />
        <Place to={paths.received} icon={Mails} label="Reçues" badge={<WaitingBadge />} />
        <li className="flex items-center justify-center">
          <NavLink
            to={paths.create}
            className="inline-flex size-14 flex-col items-center justify-center rounded-full bg-wax font-semibold text-[0.7rem] text-on-wax leading-tight hover:bg-wax-hover aria-[current=page]:ring-2 aria-[current=page]:ring-ember aria-[current=page]:ring-offset-2 aria-[current=page]:ring-offset-ground"
          >
            <PenLine aria-hidden="true" className="size-6" />
            <span className="@max-[18rem]:sr-only">Écrire</span>
          </NavLink>
        </li>
        <Place to={paths.circle} icon={LockKeyhole} label="Cercle" />
        <Place to={paths.ownProfile} icon={CircleUserRound} label="Moi" badge={<RequestsBadge />} />
      </ul>
    </nav>
  )
}

interface PlaceProps {
  to: string
  icon: LucideIcon
  label: string
  badge?: ReactNode
}

function Place({ to, icon: Icon, label, badge }: PlaceProps) {
  return (
    <li>
      <NavLink
        to={to}
        end
        className="group relative flex h-full flex-col items-center justify-center gap-0.5 font-semibold text-[0.75rem] text-ink-soft leading-tight hover:text-ink aria-[current=page]:text-ink"
      >
        <span className="relative inline-flex rounded-full px-4 py-0.5 group-aria-[current=page]:bg-surface group-aria-[current=page]:ring-1 group-aria-[current=page]:ring-line-strong">
          <Icon aria-hidden="true" className="size-6" />
        </span>
        <span className="@max-[18rem]:sr-only">{label}</span>
        <span className="absolute top-0.5 left-[calc(50%+0.5rem)]">{badge}</span>
      </NavLink>
    </li>
  )
}

/** The on-screen keyboard takes at least that much, in CSS pixels. */
const KEYBOARD_MIN_PX = 140

/** Marks the page while the on-screen keyboard is open: what is at the bottom gives its place to what is written. */
function useKeyboardMark(): void {
  useEffect(() => {
    const viewport = window.visualViewport
    const { classList } = document.documentElement
    const mark = () => {
      const missingPx = viewport ? window.innerHeight - viewport.height * viewport.scale : 0
      classList.toggle('is-typing', missingPx > KEYBOARD_MIN_PX)
    }
    viewport?.addEventListener('resize', mark)
    return () => {
      viewport?.removeEventListener('resize', mark)
      classList.remove('is-typing')
    }
  }, [])
}
