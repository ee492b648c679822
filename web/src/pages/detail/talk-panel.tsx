import { ChevronDown } from 'lucide-react'
import { lazy, Suspense } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'

const Talk = lazy(async () => ({ default: (await import('./talk.tsx')).Talk }))

const PANEL_ID = 'reactions-et-commentaires'

interface TalkPanelProps {
  revelation: Revelation
  isOpen: boolean
  /** Once opened it stays mounted, so that what was written and read is still there. */
  wasOpened: boolean
  onToggle: () => void
}

/** What people say around a revelation: closed until somebody wants to know. */
export function TalkPanel({ revelation, isOpen, wasOpened, onToggle }: TalkPanelProps) {
  return (
    <section className="rounded-card border border-line bg-surface shadow-soft">
      <h2 className="text-lg">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={PANEL_ID}
          onClick={onToggle}
          className="flex min-h-14 w-full items-center justify-between gap-3 rounded-card px-5 text-left hover:bg-sunken sm:px-6"
        >
          Réactions et commentaires
          <ChevronDown
            aria-hidden="true"
            className={classNames(
              'size-5 shrink-0 transition-transform duration-200',
              isOpen && 'rotate-180',
            )}
          />
        </button>
      </h2>
      <div id={PANEL_ID} hidden={!isOpen} className="border-line border-t px-5 py-5 sm:px-6">
        {wasOpened && (
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <Talk revelation={revelation} />
          </Suspense>
        )}
      </div>
    </section>
  )
}
