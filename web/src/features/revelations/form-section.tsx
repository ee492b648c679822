import { type ReactNode, useId } from 'react'
import { classNames } from '#web/ui/class-names.ts'

interface FormSectionProps {
  title: string
  /** The letter itself is written on paper, whatever the light around. */
  paper?: boolean
  children: ReactNode
}

/** A part of a long form, on its own sheet. */
export function FormSection({ title, paper = false, children }: FormSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className={classNames(
        'flex flex-col gap-5 rounded-card border border-line bg-surface p-4 text-ink shadow-soft sm:p-6',
        paper && 'sky-paper',
      )}
    >
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {children}
    </section>
  )
}
