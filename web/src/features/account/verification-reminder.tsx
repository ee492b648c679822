import { ChevronDown, MailCheck, X } from 'lucide-react'
import { useCallback } from 'react'
import { useLocation } from 'react-router'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { paths } from '#web/lib/paths.ts'
import { usePutAwayToday } from '#web/lib/put-away.ts'
import { IconButton } from '#web/ui/button.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { ResendButton } from './resend-button.tsx'
import { useReturnFromMail } from './verification.queries.ts'

const HAVE_THEIR_OWN: string[] = [paths.verification, paths.create, paths.received]

/** For an account without a verified address, in one line: what the mailed link gives, unfolded. It can be hidden until tomorrow. */
export function VerificationReminder() {
  const user = useSignedInUser()
  const [isHidden, hide] = usePutAwayToday('verification-put-off', user.id)
  const { pathname } = useLocation()
  useReturnFromMail(useCallback(() => showToast('success', 'Votre adresse est vérifiée.'), []))
  if (isHidden || HAVE_THEIR_OWN.includes(pathname)) return null
  return (
    <aside
      aria-labelledby="verifiez"
      className="theme-night border-line border-b bg-surface text-ink"
    >
      <div className="container-page relative">
        <details className="group">
          <summary className="mr-11 flex min-h-11 cursor-pointer items-center gap-2.5 rounded-field">
            <MailCheck aria-hidden="true" className="size-5 shrink-0 text-ember" />
            <h2
              id="verifiez"
              className="truncate font-sans font-semibold text-base tracking-normal"
            >
              Vérifiez votre adresse
            </h2>
            <ChevronDown
              aria-hidden="true"
              className="size-5 shrink-0 transition-transform group-open:rotate-180"
            />
          </summary>
          <div className="flex flex-wrap items-start gap-x-8 gap-y-3 pb-4">
            <p className="min-w-0 flex-1 basis-72 text-ink-soft text-sm leading-relaxed sm:text-base">
              Suivez le lien reçu à <EmailAddress>{user.email}</EmailAddress>&#8239;: les lettres
              qui vous sont adressées s’ouvriront pour vous, et vous pourrez écrire à 20
              destinataires par jour.
            </p>
            <div className="sm:max-w-52">
              <ResendButton />
            </div>
          </div>
        </details>
        <IconButton
          label="Masquer jusqu’à demain"
          icon={<X aria-hidden="true" className="size-5" />}
          className="absolute top-0 right-2"
          onClick={hide}
        />
      </div>
    </aside>
  )
}
