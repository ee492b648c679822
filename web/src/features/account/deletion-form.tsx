import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import type { AccountRemains } from '#contract/account.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { counted, formatCount } from '#web/lib/counts.ts'
import { fieldErrorsOf } from '#web/lib/field-errors.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PasswordField } from '#web/ui/password-field.tsx'
import type { useDeleteAccount } from './account.queries.ts'
import { LostLetters } from './lost-letters.tsx'

interface DeletionFormProps {
  id: string
  email: string
  remains: AccountRemains
  deletion: ReturnType<typeof useDeleteAccount>
}

export function DeletionForm({ id, email, remains, deletion }: DeletionFormProps) {
  const { register, handleSubmit, formState, setError } = useForm({
    defaultValues: { password: '', isUnderstood: false },
  })
  const { errors } = formState
  const { mutate: deleteAccount, error } = deletion
  const submit = handleSubmit(({ password }) =>
    deleteAccount(password, {
      onError: (failure) => {
        const message = passwordFault(failure)
        if (message) setError('password', { message }, { shouldFocus: true })
      },
    }),
  )
  const end = useRef<HTMLDivElement>(null)
  useEffect(() => {
    // On a small screen the sentence would stand below the edge of the sheet.
    if (error) end.current?.scrollIntoView({ block: 'nearest' })
  }, [error])
  const hasPending = remains.pending_count > 0
  return (
    <form id={id} noValidate className="mt-2 flex flex-col gap-5" onSubmit={submit}>
      <p className="text-ink-soft">{whatGoes(remains)}</p>
      {hasPending && <LostLetters remains={remains} />}
      {hasPending && (
        <Checkbox
          label={
            remains.pending_count === 1
              ? 'Je comprends que cette lettre n’arrivera jamais'
              : 'Je comprends que ces lettres n’arriveront jamais'
          }
          error={errors.isUnderstood?.message}
          {...register('isUnderstood', { required: 'Cochez cette case pour continuer' })}
        />
      )}
      <div ref={end} className="flex flex-col gap-5">
        {/* For password managers: whose password this is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordField
          label="Votre mot de passe"
          autoComplete="current-password"
          error={errors.password?.message}
          {...register('password', { required: 'Mot de passe requis' })}
        />
        {error && !passwordFault(error) && (
          <Notice tone="error">
            {errorSentence(error, 'Votre compte n’a pas pu être supprimé')}
          </Notice>
        )}
      </div>
    </form>
  )
}

function whatGoes({ revelations_count, sounds, sealed_sounds }: AccountRemains): string {
  const letters =
    revelations_count > 0 &&
    counted(revelations_count, 'révélation avec son fichier', 'révélations avec leurs fichiers')
  const gone = [letters, sounds > 0 && voices(sounds, sealed_sounds)].filter(Boolean)
  const always = 'votre profil, vos relations, vos réactions et vos commentaires'
  return `Disparaissent aussitôt et sans retour\u00A0: ${[...gone, always].join(', ')}.`
}

/** Those still sealed are never heard by anybody. */
function voices(sounds: number, sealed: number): string {
  const all = counted(sounds, 'message vocal', 'messages vocaux')
  if (sealed === 0) return all
  const unheard = `encore ${sealed === 1 ? 'scellé' : 'scellés'}`
  return sealed === sounds ? `${all} ${unheard}` : `${all} (dont ${formatCount(sealed)} ${unheard})`
}

function passwordFault(error: Error): string | undefined {
  return fieldErrorsOf(error, ['password'], { wrong_password: 'password' })[0]?.[1]
}
