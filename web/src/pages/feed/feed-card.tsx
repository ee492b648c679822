import { Eye } from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense, useId, useState } from 'react'
import type { Revelation } from '#contract/revelations.ts'
import { CommentsToggle } from '#web/features/comments/comments-toggle.tsx'
import { OutcomeLine } from '#web/features/predictions/declared-outcome.tsx'
import { ReactionRow } from '#web/features/reactions/reaction-row.tsx'
import { useReportDialog } from '#web/features/reports/use-report-dialog.tsx'
import { AuthorActions } from '#web/features/revelations/author-actions.tsx'
import { RevelationCard } from '#web/features/revelations/revelation-card.tsx'
import { ShareButton } from '#web/features/sharing/share-button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { holdRow, releaseRow } from './hold-row.ts'

const QuickComments = lazy(async () => ({
  default: (await import('#web/features/comments/quick-comments.tsx')).QuickComments,
}))

interface FeedCardProps {
  revelation: Revelation
  /** What became of it; the same function at each rendering. */
  verdictOf?: ((revelation: Revelation) => ReactNode) | undefined
}

/** A card of the feed with all one may do around it. It renders again only when its own revelation changes. */
export const FeedCard = memo(function FeedCard({ revelation, verdictOf }: FeedCardProps) {
  const { reactions_count, comments_count, views_count } = revelation
  const [isOpen, setOpen] = useState(false)
  const panelId = useId()
  const { reportComment, dialog } = useReportDialog()
  return (
    <RevelationCard
      revelation={revelation}
      verdict={verdictOf?.(revelation) ?? <DeclaredLine revelation={revelation} />}
      reactions={
        <ReactionRow revelation={revelation}>
          <span className="digits ml-auto px-2 text-ink-soft text-sm">
            {compact.format(reactions_count)}
            <span className="sr-only"> {reactions_count > 1 ? 'réactions' : 'réaction'}</span>
          </span>
        </ReactionRow>
      }
      counts={
        <div className="-ml-2.5 flex items-center gap-1 text-ink-soft text-sm">
          <CommentsToggle
            count={comments_count}
            isOpen={isOpen}
            controls={panelId}
            onToggle={(button) => {
              if (isOpen) releaseRow(button)
              else holdRow(button)
              setOpen(!isOpen)
            }}
          />
          <span className="digits inline-flex items-center gap-1.5">
            <Eye aria-hidden="true" className="size-4.5" />
            {compact.format(views_count)}
            <span className="sr-only"> {views_count > 1 ? 'vues' : 'vue'}</span>
          </span>
        </div>
      }
      actions={
        <>
          <ShareButton revelation={revelation} />
          <AuthorActions revelation={revelation} />
        </>
      }
      footer={
        isOpen && (
          <div id={panelId} data-grows="" className="border-line border-t pt-3">
            <Suspense fallback={<Skeleton className="h-24 w-full" />}>
              <QuickComments revelation={revelation} onReport={reportComment} />
            </Suspense>
            {dialog}
          </div>
        )
      }
    />
  )
})

/** In any other list, only what its author said of it. */
function DeclaredLine({ revelation }: { revelation: Revelation }) {
  const declared = revelation.prediction?.declared
  return declared ? <OutcomeLine declared={declared} revelation={revelation} /> : null
}

const compact = new Intl.NumberFormat('fr', { notation: 'compact' })
