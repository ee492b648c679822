import { type ReactNode, useId } from 'react'
import { classNames } from './class-names.ts'

interface PanelProps {
  title: ReactNode
  /** One line under the title. */
  intro?: ReactNode
  /** Beside the title. */
  aside?: ReactNode
  className?: string
  children?: ReactNode
}

/** A titled sheet laid on the page. */
export function Panel({ title, intro, aside, className, children }: PanelProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={classNames(
        'min-w-0 rounded-card border border-line bg-surface p-4 text-ink shadow-soft sm:p-6',
        className,
      )}
    >
      <div className="flex items-start justify-between gap-3">
        <h2 id={id} className="text-xl sm:text-2xl">
          {title}
        </h2>
        {aside}
      </div>
      {intro && <p className="mt-1.5 text-ink-soft">{intro}</p>}
      {children && <div className="mt-4">{children}</div>}
    </section>
  )
}
