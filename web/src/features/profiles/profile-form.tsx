import { useMutation } from '@tanstack/react-query'
import { Controller } from 'react-hook-form'
import * as z from 'zod/mini'
import {
  BIO_MAX_LENGTH,
  type ProfileInput,
  profileInputSchema,
  type User,
} from '#contract/profiles.ts'
import { uploadFile } from '#web/features/media/upload-file.ts'
import { deleteUploadedFile } from '#web/features/uploads/discard-upload.ts'
import { ApiError, errorSentence } from '#web/lib/api-client.ts'
import { useApiForm } from '#web/lib/forms.ts'
import { ActionBar } from '#web/ui/action-bar.tsx'
import { Button } from '#web/ui/button.tsx'
import { FormTextArea } from '#web/ui/form-controls.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { PageHeading } from '#web/ui/page-heading.tsx'
import { TextField } from '#web/ui/text-field.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { type PictureChoice, PictureField } from './picture-field.tsx'
import { useUpdateProfile } from './profiles.queries.ts'

const formSchema = z.extend(z.required(z.omit(profileInputSchema, { avatar_url: true })), {
  picture: z.custom<PictureChoice>(),
})

const FAILURE = 'Erreur lors de la mise à jour du profil'

interface ProfileFormProps {
  user: User
  onClose: () => void
}

export function ProfileForm({ user, onClose }: ProfileFormProps) {
  const { pseudo, bio, location, website, avatar_url } = user
  const { form, field, submit, isPending, error } = useApiForm({
    schema: formSchema,
    defaultValues: { pseudo, bio, location, website, picture: undefined },
    mutation: useSaveProfile(),
    inputOf: ({ picture, ...words }) => ({ words, picture }),
    fields: ['picture', 'pseudo', 'location', 'bio', 'website'],
    aliases: { avatar_url: 'picture' },
    codes: { pseudo_taken: 'pseudo' },
    onSuccess: () => {
      onClose()
      showToast('success', 'Profil mis à jour')
    },
  })
  const websiteField = field('website')
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
          <Controller
            control={form.control}
            name="picture"
            render={({ field: { ref, value, onChange }, fieldState }) => (
              <PictureField
                ref={ref}
                pseudo={pseudo}
                stored={avatar_url}
                choice={value}
                onChoose={onChange}
                error={fieldState.error?.message}
              />
            )}
          />
        </div>
        <TextField
          label="Pseudo"
          autoComplete="nickname"
          autoCapitalize="none"
          spellCheck={false}
          {...field('pseudo')}
        />
        <TextField
          label="Localisation"
          optional
          autoComplete="address-level2"
          {...field('location')}
        />
        <FormTextArea
          form={form}
          name="bio"
          label="Bio"
          optional
          className="sm:col-span-2"
          limit={BIO_MAX_LENGTH}
        />
        <TextField
          label="Site web"
          optional
          type="url"
          inputMode="url"
          autoComplete="url"
          placeholder="https://"
          className="sm:col-span-2"
          {...websiteField}
          onBlur={(event) => {
            form.setValue('website', withScheme(form.getValues('website')))
            return websiteField.onBlur(event)
          }}
        />
      </div>
      {error && (
        <Notice tone="error" className="mt-5">
          {errorSentence(error, FAILURE)}
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

interface ProfileChange {
  words: Omit<ProfileInput, 'avatar_url'>
  picture: PictureChoice
}

/** Sends the picture first, then everything at once; a picture that ends up unused is taken back. */
function useSaveProfile() {
  const { mutateAsync: update } = useUpdateProfile()
  return useMutation({
    mutationFn: async ({ words, picture }: ProfileChange) => {
      if (picture === undefined) return update(words)
      if (picture === null) return update({ ...words, avatar_url: null })
      const outcome = await uploadFile(picture, { folder: 'images' })
      if (outcome.state !== 'sent') {
        const sentence = outcome.state === 'failed' ? outcome.error : FAILURE
        throw new ApiError(sentence, 'invalid_file', 0, { avatar_url: sentence })
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
