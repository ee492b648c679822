import { Flag } from 'lucide-react'
import { useId } from 'react'
import type { MailLink } from '#contract/mail-links.ts'
import { ReportForm } from '#web/features/reports/report-form.tsx'
import { useReportMail } from '#web/features/reports/reports.queries.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { MailLinkPage } from './mail-link-page.tsx'
import { StopMails } from './stop-mails.tsx'

export function ReportMailPage() {
  return (
    <MailLinkPage
      title="Signaler un e-mail"
      intro="Dites à l’équipe ce qui ne va pas dans l’e-mail que vous avez reçu."
    >
      {(link, token) =>
        link.can_report ? (
          <ReportMail link={link} token={token} />
        ) : (
          <>
            <Notice className="mb-5">
              Cet e-mail ne porte les mots de personne&#8239;: il n’y a rien à signaler.
            </Notice>
            <StopMails link={link} token={token} />
          </>
        )
      }
    </MailLinkPage>
  )
}

interface ReportMailProps {
  link: MailLink
  token: string
}

function ReportMail({ link, token }: ReportMailProps) {
  const formId = useId()
  const report = useReportMail(token)
  if (report.isSuccess) {
    return (
      <>
        <Notice tone="success" className="mb-6">
          <h2
            ref={focusHeading}
            tabIndex={-1}
            className="font-sans font-semibold text-base tracking-normal"
          >
            Merci, votre signalement est arrivé.
          </h2>
          L’équipe va le lire. Vous pouvez aussi ne plus rien recevoir de tel.
        </Notice>
        <StopMails link={link} token={token} isSecondary />
      </>
    )
  }
  return (
    <>
      <ReportForm id={formId} hasAddressField={false} report={report} />
      <Button
        type="submit"
        form={formId}
        large
        block
        className="mt-6"
        busy={report.isPending}
        busyLabel="Envoi"
        icon={<Flag aria-hidden="true" className="size-5" />}
      >
        Signaler
      </Button>
    </>
  )
}

/** The focused button disappears with the form. */
function focusHeading(heading: HTMLElement | null): void {
  heading?.focus()
}
