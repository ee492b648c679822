import { isOwn, type Revelation } from '#contract/revelations.ts'
import { OwnReplies } from '#web/features/replies/own-replies.tsx'
import { ReceivedReplies } from '#web/features/replies/received-replies.tsx'
import { useReportDialog } from '#web/features/reports/use-report-dialog.tsx'

/** Under an open letter: what goes between its addressee and its author, and nobody else. */
export function LetterReplies({ revelation }: { revelation: Revelation }) {
  const { report, dialog } = useReportDialog()
  if (!isOwn(revelation)) return <OwnReplies revelation={revelation} />
  return (
    <>
      <ReceivedReplies
        revelation={revelation}
        onReport={({ id }) =>
          report({ target: 'reply', target_id: id, title: 'Signaler cette réponse' })
        }
      />
      {dialog}
    </>
  )
}
