import type { Revelation } from '#contract/revelations.ts'
import { CommentSection } from '#web/features/comments/comment-section.tsx'
import { ReactionSummary } from '#web/features/reactions/reaction-summary.tsx'
import { useReportDialog } from '#web/features/reports/use-report-dialog.tsx'

export function Talk({ revelation }: { revelation: Revelation }) {
  const { reportComment, dialog } = useReportDialog()
  return (
    <div className="flex flex-col gap-6">
      <ReactionSummary revelation={revelation} />
      <hr className="border-line" />
      <CommentSection revelation={revelation} onReport={reportComment} />
      {dialog}
    </div>
  )
}
