import { Link } from 'react-router'
import { paths } from '#web/lib/paths.ts'
import { MailLinkPage } from './mail-link-page.tsx'
import { StopMails } from './stop-mails.tsx'

export function UnsubscribePage() {
  return (
    <MailLinkPage
      title="Ne plus recevoir"
      intro="Vous décidez de ce qui arrive dans votre messagerie."
    >
      {(link, token) => (
        <>
          <StopMails link={link} token={token} />
          {link.can_report && (
            <p className="mt-4 text-center text-ink-soft">
              Cet e-mail est abusif&#8239;?{' '}
              <Link
                to={{ pathname: paths.reportMail, hash: `#jeton=${token}` }}
                className="inline-flex min-h-11 items-center font-semibold text-wax-ink underline underline-offset-4"
              >
                Le signaler
              </Link>
            </p>
          )}
        </>
      )}
    </MailLinkPage>
  )
}
