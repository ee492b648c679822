import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import type { Comment } from '#contract/comments.ts'
import type { Reported } from './reports.queries.ts'

const ReportDialog = lazy(async () => ({
  default: (await import('./report-dialog.tsx')).ReportDialog,
}))

interface ReportDialogState {
  report: (reported: Reported) => void
  /** The same function all along, so that lists of comments need not render again. */
  reportComment: (comment: Comment) => void
  /** To be put anywhere on the page. */
  dialog: ReactNode
}

/** The dialog that reports something. */
export function useReportDialog(): ReportDialogState {
  const [reported, setReported] = useState<Reported>()
  const reportComment = useCallback(
    ({ id, revelation_id, author_pseudo }: Comment) =>
      setReported({
        target: 'comment',
        target_id: id,
        title: `Signaler le commentaire de @${author_pseudo}`,
        revelationId: revelation_id,
      }),
    [],
  )
  const dialog = reported && (
    <Suspense>
      <ReportDialog reported={reported} onClose={() => setReported(undefined)} />
    </Suspense>
  )
  return { report: setReported, reportComment, dialog }
}
