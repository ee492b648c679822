import { zodResolver } from '@hookform/resolvers/zod'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import * as z from 'zod/mini'
import {
  BIO_MAX_LENGTH,
  type ProfileInput,
  profileInputSchema,
  type User,
} from '#contract/profiles.ts'
import { uploadFile } from '#web/features/media/upload-file.ts'
import { deleteUploadedFile } from '#web/features/uploads/discard-upload.ts'
import { errorSentence, fieldErrorsOf } from '#web/lib/api-client.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { TextArea } from '#web/ui/text-area.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { type PictureChoice, PictureField } from './picture-field.tsx'
import { useUpdateProfile } from './profiles.queries.ts'

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
  const refusals = fieldErrors(error)
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
            error={refusals.avatar_url}
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
      {error && Object.keys(refusals).length === 0 && (
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

/** Adds the scheme to « exemple.be ». */
function withScheme(website: string): string {
  return /^[\w-]+(\.[\w-]+)+(\/|$)/.test(website.trim()) ? `https://${website.trim()}` : website
}

type FieldRefusals = Partial<Record<(typeof FIELDS)[number] | 'avatar_url', string>>

/** The refusals of the server by field. */
function fieldErrors(error: Error | null): FieldRefusals {
  if (error instanceof PictureError) {
    return { avatar_url: error.message || 'Erreur lors de la mise à jour du profil' }
  }
  const known = [...FIELDS, 'avatar_url'] as const
  return Object.fromEntries(fieldErrorsOf(error, known, { pseudo_taken: 'pseudo' }))
}

interface ProfileChange {
  words: Omit<ProfileInput, 'avatar_url'>
  picture: PictureChoice
}

/** The picture could not be sent; the sentence may be shown. */
class PictureError extends Error {}

/** Sends the picture first, then everything at once; a picture that ends up unused is taken back. */
function useSaveProfile() {
  const { mutateAsync: update } = useUpdateProfile()
  return useMutation({
    mutationFn: async ({ words, picture }: ProfileChange) => {
      if (picture === undefined) return update(words)
      if (picture === null) return update({ ...words, avatar_url: null })
      const outcome = await uploadFile(picture, { folder: 'images' })
      if (outcome.state !== 'sent') {
        throw new PictureError(outcome.state === 'failed' ? outcome.error : '')
      }
      const { url, path } = outcome.result
      try {
        return await update({ ...words, avatar_url: url })
      } catch (error) {
        await deleteUploadedFile(path)
        throw error
      }
    },
  })
}
