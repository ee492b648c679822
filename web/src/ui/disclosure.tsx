import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { classNames } from './class-names.ts'

interface DisclosureProps {
  title: string
  /** What one may know without unfolding it. */
  summary?: ReactNode
  /** Unfolds it when it becomes true, too; only its reader folds it. */
  defaultOpen?: boolean
  /** Mounted when it is first opened, and from then on: drafts and scroll position stay. */
  children: ReactNode
}

/** A titled sheet that is folded until one asks for it. */
export function Disclosure(props: DisclosureProps) {
  const { title, summary, defaultOpen = false, children } = props
  const [isOpen, setOpen] = useState(defaultOpen)
  const [wasOpened, setOpened] = useState(defaultOpen)
  const [wasDefaultOpen, setDefaultOpen] = useState(defaultOpen)
  if (defaultOpen !== wasDefaultOpen) {
    setDefaultOpen(defaultOpen)
    if (defaultOpen) {
      setOpen(true)
      setOpened(true)
    }
  }
  const id = useId()
  return (
    <section
      aria-labelledby={id}
      className="rounded-card border border-line bg-surface shadow-soft"
    >
      <h2 className="text-lg">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={`${id}-content`}
          onClick={() => {
            setOpen(!isOpen)
            setOpened(true)
          }}
          className="flex min-h-14 w-full items-center justify-between gap-3 rounded-card px-5 text-left hover:bg-sunken sm:px-6"
        >
          <span id={id} className="min-w-0 flex-1">
            {title}
          </span>
          {summary && (
            <>
              {' '}
              <span className="font-sans tracking-normal">{summary}</span>
            </>
          )}
          <ChevronDown
            aria-hidden="true"
            className={classNames(
              'size-5 shrink-0 transition-transform duration-200',
              isOpen && 'rotate-180',
            )}
          />
        </button>
      </h2>
      <div id={`${id}-content`} hidden={!isOpen} className="border-line border-t px-5 py-5 sm:px-6">
        {wasOpened && children}
      </div>
    </section>
  )
}
