import {
  FileText,
  Gem,
  House,
  LockKeyhole,
  LogIn,
  LogOut,
  type LucideIcon,
  Mails,
  Menu,
  PenLine,
  Telescope,
  UserPlus,
  X,
} from 'lucide-react'
import { lazy, type ReactNode, useEffect, useRef, useState } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import type { User } from '#contract/profiles.ts'
import { useDoorState } from '#web/features/auth/auth-links.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { paths } from '#web/lib/paths.ts'
import { SITE_NAME } from '#web/lib/site.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { Dispensable } from './error-boundary.tsx'
import { type SignOut, useSignOut } from './use-sign-out.tsx'

const MENU_ID = 'menu'

// A visitor does not wait for what counts what is new for whoever is signed in.
const WaitingBadge = lazy(async () => ({
  default: (await import('#web/features/received/waiting-badge.tsx')).WaitingBadge,
}))
const NotificationsBell = lazy(async () => ({
  default: (await import('#web/features/notifications/notifications-bell.tsx')).NotificationsBell,
}))
const RequestsBadge = lazy(async () => ({
  default: (await import('#web/features/relationships/requests-badge.tsx')).RequestsBadge,
}))

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
      className="theme-night horizon-line @container sticky top-0 z-40 bg-ground text-ink print:hidden"
    >
      <div className="container-page flex min-h-16 items-center gap-1">
        <Link
          to={paths.home}
          className="-ml-1 mr-auto flex min-h-11 min-w-0 items-center gap-2.5 pr-2 font-serif text-xl"
          style={{ fontWeight: 600 }}
        >
          <WaxSeal initial="R" className="size-8 shrink-0" />
          {/* In large letters on a phone the name gives way to the button of the menu. */}
          <span className="truncate">{SITE_NAME}</span>
        </Link>
        <nav aria-label="Navigation principale" className="hidden @header-md:block">
          <ul className="flex items-center whitespace-nowrap @header-xl:gap-1">
            {user ? <OwnRow user={user} /> : <VisitorRow />}
          </ul>
        </nav>
        {user && (
          <div className="size-11 shrink-0">
            <Dispensable>
              <NotificationsBell />
            </Dispensable>
          </div>
        )}
        {user && (
          <IconButton
            className="@max-header-lg:hidden"
            label="Déconnexion"
            disabled={leaving.isPending}
            onClick={leaving.signOut}
            icon={<LogOut aria-hidden="true" className="size-5" />}
          />
        )}
        <IconButton
          ref={toggle}
          className="@header-lg:hidden"
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
                    <Dispensable>
                      <RequestsBadge />
                    </Dispensable>
                  </span>
                )}
              </span>
            )
          }
        />
      </div>
      {isMenuOpen && (
        <nav
          id={MENU_ID}
          aria-label="Menu"
          className="container-page absolute inset-x-0 top-full max-h-[calc(100dvh-4rem-var(--bottom-bar))] w-full overflow-y-auto border-line border-t bg-ground px-4 pt-2 pb-5 shadow-soft @header-lg:hidden"
        >
          <ul className="flex flex-col gap-1 pt-1">
            {user ? <OwnMenu user={user} leaving={leaving} /> : <VisitorMenu />}
          </ul>
        </nav>
      )}
      {question}
    </header>
  )
}

/** On a tablet the places one goes to most, with short words; all of them once there is room. */
function VisitorRow() {
  const doorState = useDoorState()
  return (
    <>
      <Entry {...HOME} />
      <Entry {...PREDICTIONS} />
      <Entry {...CIRCLE} isWide />
      <Entry {...PLANS} isWide />
      <Entry {...SIGN_IN} state={doorState} />
      <Entry {...SIGN_UP} state={doorState} isMain />
    </>
  )
}

function OwnRow({ user }: { user: User }) {
  return (
    <>
      <Entry {...HOME} />
      <Entry {...RECEIVED}>
        <WaitingBadge />
      </Entry>
      <Entry {...PREDICTIONS} isWide />
      <Entry {...CIRCLE} />
      <Entry {...PLANS} isWide />
      <Entry {...WRITE} isMain />
      <ProfileEntry user={user} />
    </>
  )
}

function VisitorMenu() {
  const doorState = useDoorState()
  return (
    <>
      {[HOME, PREDICTIONS, CIRCLE, PLANS].map((place) => (
        <Entry key={place.to} {...place} isWhole />
      ))}
      <Entry {...SIGN_IN} state={doorState} isWhole />
      <Entry {...SIGN_UP} state={doorState} isMain />
      <Entry {...LEGAL} isWhole />
    </>
  )
}

function OwnMenu({ user, leaving: { signOut, isPending } }: { user: User; leaving: SignOut }) {
  return (
    <>
      <Entry {...HOME} isWhole />
      <Entry {...RECEIVED} label="Lettres reçues" isWhole>
        <WaitingBadge />
      </Entry>
      <Entry {...PREDICTIONS} isWhole />
      <Entry {...CIRCLE} isWhole />
      <Entry {...WRITE} label="Créer une révélation" isWhole />
      <Entry {...PLANS} isWhole />
      <ProfileEntry user={user} isWhole />
      <Entry {...LEGAL} isWhole />
      <li>
        <button type="button" disabled={isPending} className={entryClass} onClick={signOut}>
          <LogOut aria-hidden="true" />
          Déconnexion
        </button>
      </li>
    </>
  )
}

interface Place {
  to: string
  icon: LucideIcon
  label: string
  /** Its last word, which a row without room leaves out. */
  rest?: string
}

const HOME: Place = { to: paths.home, icon: House, label: 'Accueil' }
const RECEIVED: Place = { to: paths.received, icon: Mails, label: 'Reçues' }
const PREDICTIONS: Place = {
  to: paths.predictions,
  icon: Telescope,
  label: 'Prédictions',
  rest: 'Publiques',
}
const CIRCLE: Place = { to: paths.circle, icon: LockKeyhole, label: 'Cercle', rest: 'Privé' }
const WRITE: Place = { to: paths.create, icon: PenLine, label: 'Écrire' }
const PLANS: Place = { to: paths.subscription, icon: Gem, label: 'Abonnements' }
const SIGN_IN: Place = { to: paths.login, icon: LogIn, label: 'Connexion' }
const SIGN_UP: Place = { to: paths.register, icon: UserPlus, label: 'Inscription' }
const LEGAL: Place = { to: paths.legal, icon: FileText, label: 'Mentions légales' }

const entryClass =
  'relative flex min-h-11 items-center gap-2 rounded-field px-3 @header-md:@max-header-xl:px-2 font-semibold text-ink-soft transition-colors hover:bg-surface hover:text-ink aria-[current=page]:text-ink [&>svg]:size-5 [&>svg]:shrink-0 after:absolute after:hidden after:rounded-full after:bg-ember aria-[current=page]:after:block'
const underlined = 'after:inset-x-2 after:bottom-0.5 after:h-0.5'
const besideLine = 'after:inset-y-2.5 after:left-0 after:w-0.75 aria-[current=page]:bg-surface'

interface EntryProps extends Place {
  /** What goes along, beside the address. */
  state?: object
  /** The one that stands out. */
  isMain?: boolean
  /** Only in a row that is wide enough. */
  isWide?: boolean
  /** With all its words, however narrow the screen: in the menu. */
  isWhole?: boolean
  children?: ReactNode
}

function Entry({ to, state, icon: Icon, label, rest, children, ...kind }: EntryProps) {
  const { isMain = false, isWide = false, isWhole = false } = kind
  return (
    <li className={isWide ? '@max-header-lg:hidden' : undefined}>
      <NavLink
        to={to}
        state={state}
        end
        className={classNames(
          entryClass,
          isWhole ? besideLine : underlined,
          // Between a tablet and a wide screen there is room for words alone.
          !isWhole && '@header-lg:@max-header-2xl:[&>svg]:hidden',
          isMain &&
            'bg-wax text-on-wax hover:bg-wax-hover hover:text-on-wax aria-[current=page]:text-on-wax',
        )}
      >
        <Icon aria-hidden="true" />
        <span>
          {label}
          {rest && <span className={isWhole ? undefined : '@max-header-xl:hidden'}> {rest}</span>}
        </span>
        {children && <Corner isInline={isWhole}>{children}</Corner>}
      </NavLink>
    </li>
  )
}

/** A count, which comes when it is known: in a row it takes no place there, so that nothing moves. */
function Corner({ isInline, children }: { isInline: boolean; children: ReactNode }) {
  return (
    <span className={isInline ? undefined : 'absolute -top-1 right-0 translate-x-1/4'}>
      <Dispensable>{children}</Dispensable>
    </span>
  )
}

function ProfileEntry({ user, isWhole = false }: { user: User; isWhole?: boolean }) {
  return (
    <li>
      <NavLink
        to={paths.ownProfile}
        className={classNames(entryClass, isWhole ? besideLine : underlined)}
      >
        <Avatar name={user.pseudo} src={user.avatar_url} className="size-8 text-sm" />
        <span className="min-w-0 leading-tight">
          <span className="block">
            <span className={isWhole ? undefined : '@header-md:@max-header-lg:hidden'}>Mon</span>{' '}
            Profil
          </span>
          <span
            className={classNames(
              'block max-w-40 truncate font-normal text-ink-soft text-sm @header-lg:@max-header-2xl:max-w-24',
              !isWhole && '@max-header-lg:hidden',
            )}
          >
            @{user.pseudo}
          </span>
        </span>
        <Corner isInline={isWhole}>
          <RequestsBadge />
        </Corner>
      </NavLink>
    </li>
  )
}
