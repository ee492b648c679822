import {
  Gem,
  House,
  LockKeyhole,
  LogIn,
  LogOut,
  Menu,
  PenLine,
  Telescope,
  UserPlus,
  X,
} from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import type { User } from '#contract/profiles.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { NotificationsBell } from '#web/features/notifications/notifications-bell.tsx'
import { RequestsBadge } from '#web/features/relationships/requests-badge.tsx'
import { paths } from '#web/lib/paths.ts'
import { SITE_NAME } from '#web/lib/site.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { type SignOut, useSignOut } from './use-sign-out.tsx'

const MENU_ID = 'menu'

export function Header() {
  const { user } = useSession()
  const { question, ...leaving } = useSignOut()
  const [isMenuOpen, setMenuOpen] = useState(false)
  const header = useRef<HTMLElement>(null)
  const toggle = useRef<HTMLButtonElement>(null)
  const { key } = useLocation()
  const [shownKey, setShownKey] = useState(key)
  if (key !== shownKey) {
    setShownKey(key)
    setMenuOpen(false)
  }
  useEffect(() => {
    if (!isMenuOpen) return
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      setMenuOpen(false)
      toggle.current?.focus()
    }
    const closeOutside = (event: PointerEvent) => {
      if (!header.current?.contains(event.target as Node)) setMenuOpen(false)
    }
    document.addEventListener('keydown', closeOnEscape)
    document.addEventListener('pointerdown', closeOutside)
    return () => {
      document.removeEventListener('keydown', closeOnEscape)
      document.removeEventListener('pointerdown', closeOutside)
    }
  }, [isMenuOpen])

  return (
    <header
      ref={header}
      className="theme-night horizon-line sticky top-0 z-40 bg-ground text-ink print:hidden"
    >
      <div className="container-page flex min-h-16 items-center gap-4">
        <Link
          to={paths.home}
          className="-ml-1 flex min-h-11 min-w-0 items-center gap-2.5 pr-2 font-serif text-xl"
          style={{ fontWeight: 600 }}
        >
          <WaxSeal initial="R" className="size-8 shrink-0" />
          {/* In large letters on a phone the name gives way to the button of the menu. */}
          <span className="truncate">{SITE_NAME}</span>
        </Link>
        {/* All that signed-in people go to needs a wider line. */}
        <nav
          aria-label="Navigation principale"
          className={`ml-auto hidden ${user ? 'xl:block' : 'lg:block'}`}
        >
          <Navigation direction="row" leaving={leaving} />
        </nav>
        <IconButton
          ref={toggle}
          className={`ml-auto ${user ? 'xl:hidden' : 'lg:hidden'}`}
          label={isMenuOpen ? 'Fermer le menu' : 'Ouvrir le menu'}
          aria-expanded={isMenuOpen}
          aria-controls={isMenuOpen ? MENU_ID : undefined}
          onClick={() => setMenuOpen(!isMenuOpen)}
          icon={
            isMenuOpen ? (
              <X aria-hidden="true" className="size-6 text-ink" />
            ) : (
              <span className="relative">
                <Menu aria-hidden="true" className="size-6 text-ink" />
                {user && (
                  <span className="absolute -top-3 left-3">
                    <RequestsBadge />
                  </span>
                )}
              </span>
            )
          }
        />
        {user && <NotificationsBell className="xl:max-2xl:-mr-7 xl:max-2xl:-ml-4" />}
      </div>
      {isMenuOpen && (
        <nav
          id={MENU_ID}
          aria-label="Menu"
          className="container-page absolute inset-x-0 top-full w-full border-line border-t bg-ground px-4 pt-2 pb-5 shadow-soft xl:hidden"
        >
          <Navigation direction="column" leaving={leaving} />
        </nav>
      )}
      {question}
    </header>
  )
}

interface NavigationProps {
  direction: 'row' | 'column'
  leaving: SignOut
}

function Navigation({ direction, leaving }: NavigationProps) {
  const { user } = useSession()
  return (
    <ul
      className={classNames(
        'flex',
        direction === 'column' && 'flex-col gap-1 pt-1',
        direction === 'row' && 'items-center gap-1 whitespace-nowrap',
        // With all that signed-in people go to, the line has room for words alone.
        direction === 'row' && user && '[&_svg]:hidden',
      )}
    >
      <Entry to={paths.home} icon={<House aria-hidden="true" className="size-5" />}>
        Accueil
      </Entry>
      <Entry to={paths.predictions} icon={<Telescope aria-hidden="true" className="size-5" />}>
        Prédictions Publiques
      </Entry>
      {user ? (
        <>
          <Entry to={paths.circle} icon={<LockKeyhole aria-hidden="true" className="size-5" />}>
            Cercle Privé
          </Entry>
          <Entry to={paths.create} icon={<PenLine aria-hidden="true" className="size-5" />}>
            Créer une révélation
          </Entry>
          <Entry to={paths.subscription} icon={<Gem aria-hidden="true" className="size-5" />}>
            Abonnements
          </Entry>
          <ProfileEntry user={user} />
          <LogoutEntry {...leaving} />
        </>
      ) : (
        <>
          <Entry to={paths.login} icon={<LogIn aria-hidden="true" className="size-5" />}>
            Connexion
          </Entry>
          <Entry
            to={paths.register}
            icon={<UserPlus aria-hidden="true" className="size-5" />}
            isMain
          >
            Inscription
          </Entry>
        </>
      )}
    </ul>
  )
}

const entryClass =
  'flex min-h-11 items-center gap-2.5 rounded-field px-3 font-semibold lg:max-2xl:px-2 text-ink-soft transition-colors hover:bg-surface hover:text-ink aria-[current=page]:text-ink'

interface EntryProps {
  to: string
  icon: ReactNode
  /** The one that stands out. */
  isMain?: boolean
  children: string
}

function Entry({ to, icon, isMain = false, children }: EntryProps) {
  return (
    <li>
      <NavLink
        to={to}
        end
        className={classNames(
          entryClass,
          isMain &&
            'bg-wax text-on-wax hover:bg-wax-hover hover:text-on-wax aria-[current=page]:text-on-wax',
        )}
      >
        {icon}
        {children}
      </NavLink>
    </li>
  )
}

function ProfileEntry({ user }: { user: User }) {
  return (
    <li>
      <NavLink to={paths.ownProfile} className={entryClass}>
        <Avatar name={user.pseudo} src={user.avatar_url} className="size-8 text-sm" />
        <span className="min-w-0 leading-tight">
          <span className="block">Mon Profil</span>
          <span className="block max-w-40 truncate lg:max-2xl:max-w-24 font-normal text-ink-soft text-sm">
            @{user.pseudo}
          </span>
        </span>
        <RequestsBadge />
      </NavLink>
    </li>
  )
}

function LogoutEntry({ signOut, isPending }: SignOut) {
  return (
    <li>
      <button type="button" disabled={isPending} className={entryClass} onClick={signOut}>
        <LogOut aria-hidden="true" className="size-5" />
        Déconnexion
      </button>
    </li>
  )
}
