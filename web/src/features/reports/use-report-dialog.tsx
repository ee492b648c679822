import { Flag } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useState } from 'react'
import type { Comment } from '#contract/comments.ts'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { Button } from '#web/ui/button.tsx'
import type { Reported } from './reports.queries.ts'

const ReportDialog = lazy(async () => ({
  default: (await import('./report-dialog.tsx')).ReportDialog,
}))

interface ReportDialogState {
  report: (reported: Reported) => void
  /** Stable, so that lists of comments do not render again. */
  reportComment: (comment: Comment) => void
  dialog: ReactNode
}

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

/** Reports a revelation; nobody reports their own. */
export function ReportButton({ revelation }: { revelation: Revelation }) {
  const { id, title, author_id } = revelation
  const { user } = useSession()
  const { report, dialog } = useReportDialog()
  if (user?.id === author_id) return null
  return (
    <>
      <Button
        variant="ghost"
        aria-label={`Signaler ${title}`}
        icon={<Flag aria-hidden="true" className="size-4" />}
        className="self-center text-sm print:hidden"
        aria-haspopup="dialog"
        onClick={() =>
          report({
            target: 'revelation',
            target_id: id,
            title: 'Signaler cette révélation',
            revelationId: id,
          })
        }
      >
        Signaler
      </Button>
      {dialog}
    </>
  )
}
