import { Gem, House, LockKeyhole, LogIn, LogOut, PenLine, Telescope, UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { NavLink } from 'react-router'
import type { User } from '#contract/profiles.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { RequestsBadge } from '#web/features/relationships/requests-badge.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { paths } from './paths.ts'
import type { SignOut } from './use-sign-out.tsx'

interface NavigationProps {
  direction: 'row' | 'column'
  leaving: SignOut
}

export function Navigation({ direction, leaving }: NavigationProps) {
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
