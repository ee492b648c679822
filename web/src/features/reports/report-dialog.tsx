import { Flag } from 'lucide-react'
import { useId } from 'react'
import { useSession } from '#web/features/auth/session.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ReportForm } from './report-form.tsx'
import { type Reported, useReport } from './reports.queries.ts'

interface ReportDialogProps {
  reported: Reported
  onClose: () => void
}

export function ReportDialog({ reported, onClose }: ReportDialogProps) {
  const { user } = useSession()
  const formId = useId()
  const report = useReport(reported)
  const { isPending, isSuccess, variables } = report
  // Mails go to verified addresses, and to one left for this answer.
  const isAnswered = user?.email_verified || variables?.email !== undefined
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={reported.title}
      description={
        isSuccess
          ? undefined
          : 'Seule l’équipe de Révélations saura que le signalement vient de vous.'
      }
      footer={
        isSuccess ? (
          <Button onClick={onClose}>Fermer</Button>
        ) : (
          <>
            <Button variant="secondary" onClick={onClose}>
              Annuler
            </Button>
            <Button
              type="submit"
              form={formId}
              busy={isPending}
              busyLabel="Envoi"
              icon={<Flag aria-hidden="true" className="size-4.5" />}
            >
              Signaler
            </Button>
          </>
        )
      }
    >
      <div className="mt-4">
        {isSuccess ? (
          <Notice tone="success" title="Merci, votre signalement est arrivé.">
            {isAnswered
              ? 'L’équipe va le lire, et vous dira par e-mail ce qu’elle a décidé.'
              : 'L’équipe va le lire.'}
          </Notice>
        ) : (
          <ReportForm id={formId} hasAddressField={user === null} report={report} />
        )}
      </div>
    </Dialog>
  )
}
