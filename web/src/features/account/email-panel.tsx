import { BadgeCheck, MailWarning, Pencil } from 'lucide-react'
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { changeEmailInputSchema } from '#contract/account.ts'
import type { User } from '#contract/profiles.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { useApiForm } from '#web/lib/forms.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { useChangeEmail } from './account.queries.ts'
import { ResendButton } from './resend-button.tsx'
import { useReturnFromMail } from './verification.queries.ts'

/** The address of the account, whether it is verified, and a form to change it. */
export function EmailPanel({ user }: { user: User }) {
  const [isOpen, setOpen] = useState(false)
  const [requested, setRequested] = useState<string>()
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  useReturnFromMail(useCallback(() => setRequested(undefined), []))
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <Panel title="Adresse e-mail" aside={<State isVerified={user.email_verified} />}>
      <p className="font-semibold">
        <EmailAddress>{user.email}</EmailAddress>
      </p>
      {!user.email_verified && (
        <div className="mt-2 flex flex-col items-start gap-3">
          <p className="text-ink-soft">
            Suivez le lien que vous avez reçu&#8239;: les lettres qui vous sont adressées
            s’ouvriront pour vous, et vous pourrez écrire à 20 destinataires par jour.
          </p>
          <ResendButton />
        </div>
      )}
      {requested && (
        <Notice tone="success" title="Un lien est parti" className="mt-4">
          Suivez celui reçu à <EmailAddress>{requested}</EmailAddress>. D’ici là, votre adresse
          reste <EmailAddress>{user.email}</EmailAddress>.
        </Notice>
      )}
      <div className="mt-4">
        {isOpen ? (
          <EmailForm
            onCancel={() => setOpen(false)}
            onRequested={(email) => {
              setOpen(false)
              setRequested(email)
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

interface EmailFormProps {
  onRequested: (email: string) => void
  onCancel: () => void
}

function EmailForm({ onRequested, onCancel }: EmailFormProps) {
  const { field, form, submit, isPending, error } = useApiForm({
    schema: changeEmailInputSchema,
    defaultValues: { email: '', password: '' },
    mutation: useChangeEmail(),
    inputOf: (input) => input,
    fields: ['email', 'password'],
    codes: { wrong_password: 'password', email_taken: 'email' },
    onSuccess: (_, { email }) => onRequested(email),
  })
  // A layout effect: no keystroke may go to another field.
  useLayoutEffect(() => form.setFocus('email'), [form.setFocus])
  return (
    <form noValidate className="flex max-w-md flex-col gap-5" onSubmit={submit}>
      <TextField
        label="Nouvelle adresse"
        hint="Un lien y sera envoyé : elle ne compte qu’une fois ce lien suivi. L’ancienne en est avertie."
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        {...field('email')}
      />
      <PasswordField
        label="Votre mot de passe"
        autoComplete="current-password"
        {...field('password')}
      />
      {error && (
        <Notice tone="error">{errorSentence(error, 'Erreur lors du changement d’adresse')}</Notice>
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row">
        <Button variant="secondary" onClick={onCancel}>
          Annuler
        </Button>
        <Button type="submit" busy={isPending} busyLabel="Envoi du lien">
          Envoyer le lien
        </Button>
      </div>
    </form>
  )
}
