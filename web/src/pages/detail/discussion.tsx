import type { Revelation } from '#contract/revelations.ts'
import { RegisterLink } from '#web/features/auth/auth-links.tsx'
import { useSession } from '#web/features/auth/session.tsx'
import { CommentSection } from '#web/features/comments/comment-section.tsx'
import { ReactionSummary } from '#web/features/reactions/reaction-summary.tsx'
import { useReportDialog } from '#web/features/reports/use-report-dialog.tsx'
import { hasDeliveryKey } from '#web/lib/delivery-key.ts'

export function Discussion({ revelation }: { revelation: Revelation }) {
  const { user } = useSession()
  const { reportComment, dialog } = useReportDialog()
  const isGuest = user === null && hasDeliveryKey(revelation.id)
  return (
    <div className="flex flex-col gap-6">
      <ReactionSummary
        revelation={revelation}
        invitation={isGuest ? <RegisterToReact /> : undefined}
      />
      <hr className="border-line" />
      <CommentSection revelation={revelation} onReport={reportComment} />
      {dialog}
    </div>
  )
}

/** A reader with a personal link alone has no account to react with. */
function RegisterToReact() {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-field bg-sunken px-4 py-3">
      <p>Créez un compte pour réagir</p>
      <RegisterLink hasLetter>Créer un compte</RegisterLink>
    </div>
  )
}
