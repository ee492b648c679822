import { zodResolver } from '@hookform/resolvers/zod'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import { BIO_MAX_LENGTH, profileInputSchema, type User } from '#contract/profiles.ts'
import { errorSentence } from '#web/lib/api-client.ts'
import { fieldErrorsOf } from '#web/lib/field-errors.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { type PictureChoice, PictureField } from './picture-field.tsx'
import { PictureError, useSaveProfile } from './use-save-profile.ts'

const formSchema = z.required(z.omit(profileInputSchema, { avatar_url: true }))
type ProfileFields = z.infer<typeof formSchema>

const FIELDS = ['pseudo', 'bio', 'location', 'website'] as const

interface ProfileFormProps {
  user: User
  onClose: () => void
}

export function ProfileForm({ user, onClose }: ProfileFormProps) {
  const { pseudo, bio, location, website, avatar_url } = user
  const [picture, setPicture] = useState<PictureChoice>()
  const form = useForm<ProfileFields>({
    resolver: zodResolver(formSchema),
    mode: 'onTouched',
    defaultValues: { pseudo, bio, location, website },
  })
  const { errors } = form.formState
  const { mutate: save, isPending, error } = useSaveProfile()
  const said = fieldErrors(error)
  const submit = form.handleSubmit((words) =>
    save(
      { words, picture },
      {
        onSuccess: () => {
          onClose()
          showToast('success', 'Profil mis à jour')
        },
        onError: (failure) => {
          const refused = fieldErrors(failure)
          for (const name of FIELDS) {
            const message = refused[name]
            if (message) form.setError(name, { message }, { shouldFocus: true })
          }
        },
      },
    ),
  )
  return (
    <form
      noValidate
      onSubmit={submit}
      className="-mt-10 relative rounded-card border border-line bg-surface p-4 shadow-soft sm:p-6"
    >
      <PageHeading documentTitle="Mon profil" className="text-2xl! sm:text-3xl!">
        Modifier mon profil
      </PageHeading>
      <div className="mt-5 grid gap-5 sm:grid-cols-2">
        <div className="sm:col-span-2">
          <PictureField
            pseudo={pseudo}
            stored={avatar_url}
            choice={picture}
            onChoose={setPicture}
            error={said.avatar_url}
          />
        </div>
        <TextField
          label="Pseudo"
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          error={errors.pseudo?.message}
          {...form.register('pseudo')}
        />
        <TextField
          label="Localisation"
          optional
          autoComplete="address-level2"
          error={errors.location?.message}
          {...form.register('location')}
        />
        <TextArea
          label="Bio"
          optional
          className="sm:col-span-2"
          limit={BIO_MAX_LENGTH}
          length={form.watch('bio').trim().length}
          error={errors.bio?.message}
          {...form.register('bio')}
        />
        <TextField
          label="Site web"
          optional
          type="url"
          inputMode="url"
          autoComplete="url"
          placeholder="https://"
          className="sm:col-span-2"
          error={errors.website?.message}
          {...form.register('website', {
            onBlur: () => form.setValue('website', withScheme(form.getValues('website'))),
          })}
        />
      </div>
      {error && Object.keys(said).length === 0 && (
        <Notice tone="error" className="mt-5">
          {errorSentence(error, 'Erreur lors de la mise à jour du profil')}
        </Notice>
      )}
      <div className="mt-6 max-sm:-mb-4 [&>div]:bg-surface! max-sm:[&>div]:rounded-b-card">
        <ActionBar>
          <Button variant="secondary" disabled={isPending} onClick={onClose}>
            Annuler
          </Button>
          <Button type="submit" busy={isPending} busyLabel="Sauvegarde en cours">
            Sauvegarder
          </Button>
        </ActionBar>
      </div>
    </form>
  )
}

/** « exemple.be » is what people type. */
function withScheme(website: string): string {
  return /^[\w-]+(\.[\w-]+)+(\/|$)/.test(website.trim()) ? `https://${website.trim()}` : website
}

type Said = Partial<Record<(typeof FIELDS)[number] | 'avatar_url', string>>

/** What was refused, beside the field it is about. */
function fieldErrors(error: Error | null): Said {
  if (error instanceof PictureError) {
    return { avatar_url: error.message || 'Erreur lors de la mise à jour du profil' }
  }
  const known = [...FIELDS, 'avatar_url'] as const
  return Object.fromEntries(fieldErrorsOf(error, known, { pseudo_taken: 'pseudo' }))
}
