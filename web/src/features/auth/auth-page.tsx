import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useHydrated } from '#web/lib/hooks.ts'
import { paths } from '#web/lib/paths.ts'
import { isStorageTemporary } from '#web/lib/provided-storage.ts'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

interface AuthPageProps {
  title: string
  intro: string
  children: ReactNode
  /** The link below the form. */
  aside: ReactNode
}

/** The frame of the pages for signing in and of mailed links. */
export function AuthPage({ title, intro, children, aside }: AuthPageProps) {
  return (
    <div className="theme-night bg-dawn -mb-16 flex min-h-[calc(100dvh-4rem)] items-start justify-center px-4 pt-16 pb-10 sm:items-center">
      <div className="theme-paper relative w-full max-w-md rounded-card border border-line bg-surface p-6 pt-14 text-ink shadow-soft sm:p-9 sm:pt-16">
        <WaxSeal
          initial="R"
          className="-translate-x-1/2 -top-11 absolute left-1/2 size-22 text-ink"
        />
        <PageHeading className="text-center">{title}</PageHeading>
        <p className="mt-2 text-balance text-center text-ink-soft">{intro}</p>
        <div className="mt-7">{children}</div>
        <div className="mt-6 border-line border-t pt-4 text-center text-ink-soft">{aside}</div>
      </div>
    </div>
  )
}

/** To be read before one signs in where nothing is stored: the next page that is loaded knows nobody. */
export function TemporarySessionNotice() {
  if (!useHydrated() || !isStorageTemporary()) return null
  return (
    <Notice tone="warning" className="mb-5">
      Ce navigateur n’enregistre rien&#8239;: vous serez déconnecté dès que la page se recharge ou
      se ferme. Autorisez les cookies de ce site, ou ouvrez-le dans un autre navigateur.
    </Notice>
  )
}

export function LinkSkeleton() {
  return (
    <div role="status" className="flex flex-col gap-4">
      <span className="sr-only">Lecture du lien</span>
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-13 w-full" />
    </div>
  )
}

export function HomeLink() {
  return (
    <Link
      to={paths.home}
      className="inline-flex min-h-11 items-center font-semibold text-wax-ink underline underline-offset-4"
    >
      Aller à l’accueil
    </Link>
  )
}
