import { KeyRound } from 'lucide-react'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { changePasswordInputSchema } from '#contract/auth.ts'
import { NewPasswordFields } from '#web/features/auth/new-password-fields.tsx'
import { errorSentence } from '#web/lib/api-client.ts'
import { fieldIssue, useApiForm } from '#web/lib/forms.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { useChangePassword } from './account.queries.ts'

const SUCCESS_MS = 3000

export function PasswordPanel({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const wasOpen = useRef(false)
  const [isChanged, setChanged] = useState(false)
  useEffect(() => {
    if (!isChanged) return
    const timer = setTimeout(() => setChanged(false), SUCCESS_MS)
    return () => clearTimeout(timer)
  }, [isChanged])
  useEffect(() => {
    if (wasOpen.current && !isOpen) opener.current?.focus()
    wasOpen.current = isOpen
  }, [isOpen])
  return (
    <Panel
      title="Mot de passe"
      intro="Le changer déconnecte tous vos autres appareils, révoque vos jetons d’accès et met fin à l’adresse à laquelle un agenda suit votre calendrier."
    >
      {isOpen ? (
        <PasswordForm
          email={email}
          onCancel={() => setOpen(false)}
          onChanged={() => {
            setOpen(false)
            setChanged(true)
          }}
        />
      ) : (
        <Button
          ref={opener}
          variant="secondary"
          icon={<KeyRound aria-hidden="true" className="size-5" />}
          onClick={() => setOpen(true)}
        >
          Changer le mot de passe
        </Button>
      )}
      {isChanged && (
        <Notice tone="success" className="mt-4">
          Mot de passe modifié avec succès
        </Notice>
      )}
    </Panel>
  )
}

/** Reports one error at a time, in the order of behaviour.md 9.4. */
const formSchema = z
  .object({ currentPassword: z.string(), newPassword: z.string(), confirmation: z.string() })
  .check(({ value, issues }) => {
    const [issue] = changePasswordInputSchema.safeParse(value).error?.issues ?? []
    if (issue) issues.push(fieldIssue(String(issue.path[0]), issue.message, value))
    else if (value.confirmation !== value.newPassword) {
      issues.push(fieldIssue('confirmation', MISMATCH, value))
    }
  })

const MISMATCH = 'La confirmation ne correspond pas au nouveau mot de passe'

interface PasswordFormProps {
  email: string
  onChanged: () => void
  onCancel: () => void
}

function PasswordForm({ email, onChanged, onCancel }: PasswordFormProps) {
  const { field, form, submit, isPending, error } = useApiForm({
    schema: formSchema,
    mode: 'onSubmit',
    defaultValues: { currentPassword: '', newPassword: '', confirmation: '' },
    mutation: useChangePassword(),
    inputOf: ({ confirmation: _, ...input }) => input,
    fields: ['currentPassword', 'newPassword'],
    codes: { wrong_password: 'currentPassword' },
    onSuccess: onChanged,
  })
  // A layout effect: no keystroke may go to another field.
  useLayoutEffect(() => form.setFocus('currentPassword'), [form.setFocus])
  return (
    <form noValidate className="flex max-w-md flex-col gap-5" onSubmit={submit}>
      {/* For password managers. */}
      <input type="text" autoComplete="username" value={email} readOnly hidden />
      <PasswordField
        label="Mot de passe actuel"
        autoComplete="current-password"
        {...field('currentPassword')}
      />
      <NewPasswordFields password={field('newPassword')} confirmation={field('confirmation')} />
      {error && (
        <Notice tone="error">
          {errorSentence(error, 'Erreur lors du changement de mot de passe')}
        </Notice>
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row">
        <Button variant="secondary" onClick={onCancel}>
          Annuler
        </Button>
        <Button type="submit" busy={isPending} busyLabel="Changement en cours">
          Enregistrer le mot de passe
        </Button>
      </div>
    </form>
  )
}
