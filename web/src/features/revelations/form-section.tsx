import { ChevronDown } from 'lucide-react'
import { type ReactNode, type Ref, useId, useState } from 'react'
import type { Stationery } from '#contract/revelations.ts'
import { classNames } from '#web/ui/class-names.ts'

/** Where a part of the form stands. */
export const SECTION_CLASS = [
  '-mx-4 border-line border-y bg-surface p-4 text-ink',
  'sm:mx-0 sm:rounded-card sm:border-x sm:p-6 sm:shadow-soft',
].join(' ')

interface FormSectionProps {
  title: string
  /** The letter itself is written on its paper, whatever the light around. */
  stationery?: Stationery
  children: ReactNode
}

export function FormSection({ title, stationery, children }: FormSectionProps) {
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      data-paper={stationery?.paper}
      data-ink={stationery?.ink}
      className={classNames(SECTION_CLASS, 'flex flex-col gap-5', stationery && 'theme-paper')}
    >
      <h2 id={id} className="text-2xl">
        {title}
      </h2>
      {children}
    </section>
  )
}

interface FoldedSectionProps {
  title: string
  /** What it is, below the title, folded or not. */
  hint: string
  /** It has something that must be seen. */
  isUsed: boolean
  /** What is in it is rendered when it is first unfolded. */
  isLazy?: boolean
  /** What folds it, which takes the focus. */
  ref?: Ref<HTMLElement>
  children: ReactNode
}

/** A part of the form that most letters do without. What is emptied stays unfolded. */
export function FoldedSection({
  title,
  hint,
  isUsed,
  isLazy = false,
  ref,
  children,
}: FoldedSectionProps) {
  const [isUnfolded, setUnfolded] = useState(isUsed)
  const isRendered = !isLazy || isUnfolded || isUsed
  return (
    <details
      open={isUnfolded || isUsed}
      onToggle={({ currentTarget }) => setUnfolded(currentTarget.open)}
      className={classNames('group', SECTION_CLASS)}
    >
      <summary
        ref={ref}
        className="flex min-h-11 cursor-pointer list-none items-start gap-3 rounded-field [&::-webkit-details-marker]:hidden"
      >
        <span className="min-w-0 flex-1">
          <h2 className="text-xl">{title}</h2>
          <span className="mt-1 block text-ink-soft">{hint}</span>
        </span>
        <ChevronDown
          aria-hidden="true"
          className="mt-1 size-5 shrink-0 text-ink-soft group-open:rotate-180"
        />
      </summary>
      <div className="mt-5 flex flex-col gap-5">{isRendered && children}</div>
    </details>
  )
}
