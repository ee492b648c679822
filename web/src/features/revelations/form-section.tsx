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
        '-mx-4 flex flex-col gap-5 border-line border-y bg-surface p-4 text-ink',
        'sm:mx-0 sm:rounded-card sm:border-x sm:p-6 sm:shadow-soft',
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
