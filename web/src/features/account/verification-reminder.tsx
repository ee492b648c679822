import { MailCheck, X } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useLocation } from 'react-router'
import type { User } from '#contract/profiles.ts'
import { paths } from '#web/app/paths.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { isPutOffToday, putOffToday } from './put-off.ts'
import { ResendButton } from './resend-button.tsx'
import { useReturnFromMail } from './verification.queries.ts'

/** For somebody whose address is not proved yet: what the link in the mail gives, until tomorrow or until it is. */
export function VerificationReminder({ user }: { user: User }) {
  const [isHidden, setHidden] = useState(() => isPutOffToday(user.id))
  const { pathname } = useLocation()
  useReturnFromMail(useCallback(() => void showToast('success', 'Votre adresse est vérifiée.'), []))
  if (isHidden || pathname === paths.verification) return null
  return (
    <aside
      aria-labelledby="verifiez"
      className="sky-night border-line border-b bg-surface text-ink"
    >
      <div className="content flex items-start gap-3 py-4">
        <MailCheck aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-ember" />
        <div className="flex min-w-0 flex-1 flex-wrap items-start justify-between gap-x-8 gap-y-3">
          <div className="min-w-0 flex-1 basis-64">
            <h2 id="verifiez" className="font-sans font-semibold text-base tracking-normal">
              Vérifiez votre adresse
            </h2>
            <p className="mt-0.5 text-ink-soft [overflow-wrap:anywhere]">
              Suivez le lien envoyé à {user.email}&nbsp;: les lettres qui vous sont adressées
              s’ouvriront pour vous, et vous pourrez écrire à 20 destinataires par jour.
            </p>
          </div>
          <ResendButton />
        </div>
        <IconButton
          label="Masquer jusqu’à demain"
          icon={<X aria-hidden="true" className="size-5" />}
          className="-mt-2 -mr-2"
          onClick={() => {
            putOffToday(user.id)
            setHidden(true)
          }}
        />
      </div>
    </aside>
  )
}
