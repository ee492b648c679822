import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import * as z from 'zod/mini'
import { type AccountRemains, deleteAccountInputSchema } from '#contract/account.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { browserTimeZone, formatDay } from '#web/lib/dates.ts'
import { counted, formatCount } from '#web/lib/format.ts'
import { useApiForm } from '#web/lib/forms.ts'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { EmailAddress } from '#web/ui/email-address.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { LoadFailure, Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import { accountRemainsQuery, useDeleteAccount } from './account.queries.ts'

export function DeletionPanel({ email }: { email: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel
      title="Supprimer mon compte"
      intro="Vos lettres, vos fichiers et leurs clés disparaissent aussitôt, sans retour possible."
      className="border-wax-ink/45!"
    >
      <Button variant="danger" className="max-sm:w-full" onClick={() => setOpen(true)}>
        Supprimer mon compte
      </Button>
      {isOpen && <DeletionDialog email={email} onClose={() => setOpen(false)} />}
    </Panel>
  )
}

interface DeletionDialogProps {
  email: string
  onClose: () => void
}

/** Asks for the password, and shows what the deletion deletes. */
function DeletionDialog({ email, onClose }: DeletionDialogProps) {
  const formId = useId()
  const { data: remains, error, isFetching, refetch } = useQuery(accountRemainsQuery)
  const deletion = useDeleteAccount()
  return (
    <Dialog
      open
      onOpenChange={() => !deletion.isPending && onClose()}
      title="Supprimer mon compte ?"
      footer={
        <>
          <Button variant="secondary" disabled={deletion.isPending} onClick={onClose}>
            Garder mon compte
          </Button>
          <Button
            variant="danger"
            type="submit"
            form={formId}
            disabled={!remains}
            busy={deletion.isPending}
            busyLabel="Suppression en cours"
          >
            Supprimer définitivement
          </Button>
        </>
      }
    >
      {remains ? (
        <DeletionForm id={formId} email={email} remains={remains} deletion={deletion} />
      ) : error ? (
        <LoadFailure className="mt-2" isRetrying={isFetching} onRetry={refetch}>
          {errorSentence(error, 'Ce qui partirait avec votre compte n’a pas pu être compté')}
        </LoadFailure>
      ) : (
        <div role="status" className="mt-2">
          <span className="sr-only">Chargement de ce qui partirait avec votre compte</span>
          <Skeleton className="h-40" />
        </div>
      )}
    </Dialog>
  )
}

function formSchema(hasPending: boolean) {
  const isUnderstood = z.boolean()
  const checked = z.refine<boolean>((isChecked) => isChecked, 'Cochez cette case pour continuer')
  return z.extend(deleteAccountInputSchema, {
    isUnderstood: hasPending ? isUnderstood.check(checked) : isUnderstood,
  })
}

interface DeletionFormProps {
  id: string
  email: string
  remains: AccountRemains
  deletion: ReturnType<typeof useDeleteAccount>
}

function DeletionForm({ id, email, remains, deletion }: DeletionFormProps) {
  const hasPending = remains.pending_count > 0
  const { field, submit, error } = useApiForm({
    schema: formSchema(hasPending),
    mode: 'onSubmit',
    defaultValues: { password: '', isUnderstood: false },
    mutation: deletion,
    inputOf: ({ password }) => password,
    fields: ['password'],
    codes: { wrong_password: 'password' },
  })
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a small screen the error would be below the edge of the dialog.
    if (deletion.error) end.current?.scrollIntoView({ block: 'nearest' })
  }, [deletion.error])
  return (
    <form id={id} noValidate className="mt-2 flex flex-col gap-5" onSubmit={submit}>
      <p className="text-ink-soft">{deletedText(remains)}</p>
      {hasPending && <LostLetters remains={remains} />}
      {hasPending && (
        <Checkbox
          label={
            remains.pending_count === 1
              ? 'Je comprends que cette lettre n’arrivera jamais'
              : 'Je comprends que ces lettres n’arriveront jamais'
          }
          {...field('isUnderstood')}
        />
      )}
      <div ref={end} className="flex flex-col gap-5">
        {/* For password managers. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Votre mot de passe"
          autoComplete="current-password"
          {...field('password')}
        />
        {error && (
          <Notice tone="error">
            {errorSentence(error, 'Votre compte n’a pas pu être supprimé')}
          </Notice>
        )}
      </div>
    </form>
  )
}

function deletedText({ revelations_count, sounds, sealed_sounds }: AccountRemains): string {
  const letters =
    revelations_count > 0 &&
    counted(revelations_count, 'révélation avec son fichier', 'révélations avec leurs fichiers')
  const parts = [letters, sounds > 0 && voiceMessagesText(sounds, sealed_sounds)].filter(Boolean)
  const always = 'votre profil, vos relations, vos réactions et vos commentaires'
  return `Disparaissent aussitôt et sans retour\u202F: ${[...parts, always].join(', ')}.`
}

function voiceMessagesText(sounds: number, sealed: number): string {
  const all = counted(sounds, 'message vocal', 'messages vocaux')
  if (sealed === 0) return all
  const sealedText = `encore ${sealed === 1 ? 'scellé' : 'scellés'}`
  return sealed === sounds
    ? `${all} ${sealedText}`
    : `${all} (dont ${formatCount(sealed)} ${sealedText})`
}

/** Sealed letters to others, which would never arrive. */
function LostLetters({ remains }: { remains: AccountRemains }) {
  const { pending, pending_count } = remains
  const unnamed = pending_count - pending.length
  const timeZone = browserTimeZone()
  return (
    <section aria-label="Lettres qui n’arriveront jamais">
      <p className="font-semibold text-wax-ink">
        {counted(
          pending_count,
          'lettre attend son jour et n’arrivera jamais',
          'lettres attendent leur jour et n’arriveront jamais',
        )}
      </p>
      <ul
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling list must be reachable by keyboard
        tabIndex={0}
        className="mt-2 max-h-44 sm:max-h-56 divide-y divide-line overflow-y-auto rounded-field border border-line px-3"
      >
        {pending.map(({ id, title, target_email, target_name, reveal_date }) => (
          <li key={id} className="py-2 leading-snug [overflow-wrap:anywhere]">
            <p className="font-semibold">{title}</p>
            <p className="text-ink-soft text-sm">
              À {target_name ?? <EmailAddress>{target_email}</EmailAddress>}, le{' '}
              <time dateTime={reveal_date} className="whitespace-nowrap">
                {formatDay(reveal_date, timeZone)}
              </time>
            </p>
          </li>
        ))}
        {unnamed > 0 && (
          <li className="py-2 text-ink-soft">et {counted(unnamed, 'autre', 'autres')}</li>
        )}
      </ul>
    </section>
  )
}
