import type { ReactNode } from 'react'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'

interface AuthPageProps {
  title: string
  intro: string
  children: ReactNode
  /** The way to the other page of the two. */
  aside: ReactNode
}

/** The door: the night outside, the form on paper in front of it. */
export function AuthPage({ title, intro, children, aside }: AuthPageProps) {
  return (
    <div className="sky-night dawn-below -mb-16 flex min-h-[calc(100dvh-4rem)] items-start justify-center px-4 pt-16 pb-10 sm:items-center">
      <div className="sky-paper relative w-full max-w-md rounded-card border border-line bg-surface p-6 pt-14 text-ink shadow-soft sm:p-9 sm:pt-16">
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
