import { useQuery } from '@tanstack/react-query'
import { AudioLines, CalendarPlus, Settings, UserPlus } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { circleMembersQuery } from '#web/features/circle/circle.queries.ts'
import { FaceRow, FamilyRing } from '#web/features/circle/family-ring.tsx'
import { paths } from '#web/lib/paths.ts'
import { ButtonLink } from '#web/ui/button.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { CircleFigures } from './circle-figures.tsx'
import { CircleTabs } from './circle-tabs.tsx'
import { type CircleTab, useCircleTab } from './use-circle-tab.ts'

export function CirclePage() {
  const { tab, openTab } = useCircleTab()
  return (
    <>
      <CircleHero />
      <div className="container-page">
        <CircleFigures />
        <QuickActions />
        <CircleTabs tab={tab} onOpen={openTab} />
        <PhoneActionBar tab={tab} />
      </div>
    </>
  )
}

function CircleHero() {
  const me = useSignedInUser()
  const { data: members } = useQuery(circleMembersQuery)
  return (
    <div className="theme-night bg-circle relative overflow-hidden text-ink">
      <div className="container-page relative flex items-center justify-between gap-8 pt-7 pb-14 sm:pt-10 sm:pb-18">
        <div className="min-w-0 max-w-xl">
          <PageHeading className="text-[2.2rem] leading-[1.08] sm:text-5xl">
            Cercle Privé
          </PageHeading>
          <p className="mt-3 max-w-lg text-ink-soft text-lg leading-snug">
            Lettres, films et voix pour votre famille, chacun à son jour.
          </p>
          {/* The row has its height while it loads, and is absent for a person alone. */}
          {members?.length !== 0 && <FaceRow me={me} members={members ?? []} />}
          {/* On a phone it is below what the tab shows. */}
          <ButtonLink
            large
            to={paths.deliver}
            icon={<CalendarPlus aria-hidden="true" className="size-5" />}
            className="mt-6 max-sm:hidden"
          >
            Programmer une livraison
          </ButtonLink>
        </div>
        <FamilyRing me={me} members={members ?? []} />
      </div>
    </div>
  )
}

function QuickActions() {
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

/** On a phone the main action, below what the tab shows: over it, it would hide its drawing. The calendar has its own. */
function PhoneActionBar({ tab }: { tab: CircleTab }) {
  if (tab === 'calendrier') return null
  return (
    <div className="mt-6 grid sm:hidden">
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
    </div>
  )
}
