import { Eye } from 'lucide-react'
import { lazy, memo, type ReactNode, Suspense, useId, useState } from 'react'
import { pluralize } from '#contract/plural.ts'
import type { Revelation } from '#contract/revelations.ts'
import { CommentsToggle } from '#web/features/comments/comments-toggle.tsx'
import { OutcomeLine } from '#web/features/predictions/declared-outcome.tsx'
import { ReactionRow } from '#web/features/reactions/reaction-row.tsx'
import { useReportDialog } from '#web/features/reports/use-report-dialog.tsx'
import { AuthorMenu } from '#web/features/revelations/author-menu.tsx'
import { RevelationCard } from '#web/features/revelations/revelation-card.tsx'
import { ShareButton } from '#web/features/sharing/share-button.tsx'
import { formatCompactCount } from '#web/lib/format.ts'
import { Icon } from '#web/ui/icon-sheet.tsx'
import { Skeleton } from '#web/ui/loading.tsx'

const QuickComments = lazy(async () => ({
  default: (await import('#web/features/comments/comment-section.tsx')).QuickComments,
}))

interface FeedCardProps {
  revelation: Revelation
  /** Renders the outcome; the same function at each rendering. */
  verdictOf?: ((revelation: Revelation) => ReactNode) | undefined
}

/** A card with its actions. It renders again only when its own revelation changes. */
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
          <span className="reaction-count">
            {formatCompactCount(reactions_count)}
            <span className="sr-only"> {pluralize(reactions_count, 'réaction', 'réactions')}</span>
          </span>
        </ReactionRow>
      }
      counts={
        <div className="card-counts">
          <CommentsToggle
            count={comments_count}
            isOpen={isOpen}
            controls={panelId}
            onToggle={(button) => {
              if (isOpen) releaseRowHeight(button)
              else fixRowHeight(button)
              setOpen(!isOpen)
            }}
          />
          <span className="card-count">
            <Icon icon={Eye} className="size-4.5" />
            {formatCompactCount(views_count)}
            <span className="sr-only"> {pluralize(views_count, 'vue', 'vues')}</span>
          </span>
        </div>
      }
      actions={
        <>
          <ShareButton revelation={revelation} />
          <AuthorMenu revelation={revelation} />
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

/** The outcome that the author declared: all that lists show without `verdictOf`. */
function DeclaredLine({ revelation }: { revelation: Revelation }) {
  const declared = revelation.prediction?.declared
  return declared ? <OutcomeLine declared={declared} revelation={revelation} /> : null
}

/** Fixes the height of the other cards of the row, which would stretch when this one opens its comments. */
function fixRowHeight(card: HTMLElement): void {
  const item = card.closest('li')
  if (!item) return
  item.style.alignSelf = ''
  item.style.minHeight = ''
  for (const other of othersOfRow(item)) {
    other.style.minHeight = `${other.offsetHeight}px`
    other.style.alignSelf = 'start'
  }
}

/** Lets the row have one height again, once none of its cards is open. */
function releaseRowHeight(card: HTMLElement): void {
  const item = card.closest('li')
  if (!item) return
  const others = othersOfRow(item)
  if (others.some((other) => other.querySelector('[data-grows]'))) return
  for (const other of others) {
    other.style.minHeight = ''
    other.style.alignSelf = ''
  }
}

function othersOfRow(item: HTMLElement): HTMLElement[] {
  return [...walk(item, 'previousElementSibling'), ...walk(item, 'nextElementSibling')]
}

function* walk(item: HTMLElement, step: 'previousElementSibling' | 'nextElementSibling') {
  let other = item[step]
  while (other instanceof HTMLElement && other.offsetTop === item.offsetTop) {
    yield other
    other = other[step]
  }
}
