import { BadgeCheck, MailWarning, Pencil } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { User } from '#contract/profiles.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { EmailForm } from './email-form.tsx'
import { ResendButton } from './resend-button.tsx'
import { useReturnFromMail } from './verification.queries.ts'

/** The address of the account, whether it is proved, and the way to another one. */
export function EmailPanel({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false)
  const [asked, setAsked] = useState<string>()
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useReturnFromMail(useCallback(() => setAsked(undefined), []))
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <Panel title="Adresse email" aside={<State isVerified={user.email_verified} />}>
      <p className="font-semibold">
        <EmailAddress>{user.email}</EmailAddress>
      </p>
      {!user.email_verified && (
        <div className="mt-2 flex flex-col items-start gap-3">
          <p className="text-ink-soft">
            Suivez le lien que vous avez reçu&nbsp;: les lettres qui vous sont adressées s’ouvriront
            pour vous, et vous pourrez écrire à 20 destinataires par jour.
          </p>
          <ResendButton />
        </div>
      )}
      {asked && (
        <Notice tone="success" title="Un lien est parti" className="mt-4">
          Suivez celui reçu à <EmailAddress>{asked}</EmailAddress>. D’ici là, votre adresse reste{' '}
          <EmailAddress>{user.email}</EmailAddress>.
        </Notice>
      )}
      <div className="mt-4">
        {isOpen ? (
          <EmailForm
            onCancel={() => setOpen(false)}
            onAsked={(email) => {
              setOpen(false)
              setAsked(email)
            }}
          />
        ) : (
          <Button
            ref={opener}
            variant="secondary"
            icon={<Pencil aria-hidden="true" className="size-4.5" />}
            onClick={() => setOpen(true)}
          >
            Changer d’adresse
          </Button>
        )}
      </div>
    </Panel>
  )
}

function State({ isVerified }: { isVerified: boolean }) {
  return isVerified ? (
    <Badge tone="leaf" icon={<BadgeCheck aria-hidden="true" className="size-3.5" />}>
      Vérifiée
    </Badge>
  ) : (
    <Badge tone="ember" icon={<MailWarning aria-hidden="true" className="size-3.5" />}>
      À vérifier
    </Badge>
  )
}
