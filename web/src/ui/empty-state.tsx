import type { ComponentType, ReactNode, SVGProps } from 'react'
import { classNames } from './class-names.ts'
import { PageHeading } from './page-heading.tsx'

/** A drawing of `ui/art`: `import Telescope from '#web/ui/art/telescope.svg?react'`. */
type Art = ComponentType<SVGProps<SVGSVGElement>>

interface EmptyStateProps {
  art: Art
  artClassName?: string
  title: string
  children?: ReactNode
  /** The one thing to do here. */
  action?: ReactNode
  /** Directly under tabs: on a phone the drawing is smaller and moved up into their margin. */
  isUnderTabs?: boolean
}

/** In the place of a list that has nothing in it. */
export function EmptyState({
  art: Drawing,
  artClassName = 'w-60',
  title,
  children,
  action,
  isUnderTabs = false,
}: EmptyStateProps) {
  return (
    <div
      className={classNames(
        'mx-auto flex max-w-md flex-col items-center gap-4 px-4 py-10 text-center',
        isUnderTabs && 'max-sm:-mt-8',
      )}
    >
      <Drawing className={isUnderTabs ? 'w-44 sm:w-60' : artClassName} />
      <h2 className="text-2xl">{title}</h2>
      {children && <div className="text-balance text-ink-soft">{children}</div>}
      {action && <div className="mt-2">{action}</div>}
    </div>
  )
}

interface EmptyPageProps {
  art: Art
  title: string
  children: ReactNode
  /** A second paragraph. */
  note?: ReactNode
  actions: ReactNode
}

/** In the place of a whole page. */
export function EmptyPage({ art: Drawing, title, children, note, actions }: EmptyPageProps) {
  return (
    <div className="container-page flex min-h-[70dvh] flex-col items-center justify-center gap-4 py-12 text-center">
      <Drawing className="w-48" />
      <PageHeading>{title}</PageHeading>
      <p className="max-w-md text-ink-soft">{children}</p>
      {note && <p className="max-w-md text-ink-soft">{note}</p>}
      <div className="mt-2 flex flex-wrap justify-center gap-3">{actions}</div>
    </div>
  )
}
