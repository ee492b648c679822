import { Flag } from 'lucide-react'
import type { Revelation } from '#contract/revelations.ts'
import { useSession } from '#web/features/auth/session.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { useReportDialog } from './use-report-dialog.tsx'

/** Reports a revelation; nobody reports their own. */
export function ReportButton({ revelation }: { revelation: Revelation }) {
  const { id, title, author_id } = revelation
  const { user } = useSession()
  const { report, dialog } = useReportDialog()
  if (user?.id === author_id) return null
  return (
    <>
      <IconButton
        label={`Signaler ${title}`}
        icon={<Flag aria-hidden="true" className="size-5" />}
        aria-haspopup="dialog"
        onClick={() =>
          report({
            target: 'revelation',
            target_id: id,
            title: 'Signaler cette révélation',
            revelationId: id,
          })
        }
      />
      {dialog}
    </>
  )
}
