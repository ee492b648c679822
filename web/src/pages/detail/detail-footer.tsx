import { ChevronDown } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useLocation } from 'react-router'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { HeartToggle } from '#web/features/reactions/reaction-buttons.tsx'
import { ReportButton } from '#web/features/reports/use-report-dialog.tsx'
import { CardCounts } from '#web/features/revelations/card-details.tsx'
import { ShareButton } from '#web/features/sharing/share-button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Skeleton } from '#web/ui/loading.tsx'

interface DetailFooterProps {
  revelation: Revelation
  /** The actions of its author. */
  actions: ReactNode
}

/** Under a revelation: heart, counts, share, report and discussion. */
export function DetailFooter({ revelation, actions }: DetailFooterProps) {
  const { user } = useSession()
  const { state } = useLocation()
  const wantsComments = (state as { opens?: string } | null)?.opens === 'comments'
  const [isOpen, setOpen] = useState(wantsComments)
  const [wasOpened, setOpened] = useState(wantsComments)
  const hasHeart = user !== null && revelation.can.react
  return (
    <>
      <div className="flex min-h-14 flex-wrap items-center justify-between gap-x-6 gap-y-1 border-line border-y py-1.5">
        <div className="flex items-center">
          {hasHeart && <HeartToggle revelation={revelation} />}
          <CardCounts revelation={revelation} followsHeart={hasHeart} />
        </div>
        <div className="-mr-2 flex">
          <ShareButton revelation={revelation} />
          {actions}
          <ReportButton revelation={revelation} />
        </div>
      </div>
      <DiscussionPanel
        revelation={revelation}
        isOpen={isOpen}
        wasOpened={wasOpened}
        onToggle={() => {
          setOpen(!isOpen)
          setOpened(true)
        }}
      />
    </>
  )
}

const Discussion = lazy(async () => ({ default: (await import('./discussion.tsx')).Discussion }))

const PANEL_ID = 'reactions-et-commentaires'

interface DiscussionPanelProps {
  revelation: Revelation
  isOpen: boolean
  /** Once opened it stays mounted, so that drafts and scroll position stay. */
  wasOpened: boolean
  onToggle: () => void
}

/** The reactions and comments, closed at first. */
function DiscussionPanel({ revelation, isOpen, wasOpened, onToggle }: DiscussionPanelProps) {
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
            <Discussion revelation={revelation} />
          </Suspense>
        )}
      </div>
    </section>
  )
}
