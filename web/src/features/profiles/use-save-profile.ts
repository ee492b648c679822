import { useMutation } from '@tanstack/react-query'
import type { ProfileInput } from '#contract/profiles.ts'
import { uploadFile } from '#web/features/media/upload-file.ts'
import { deleteUploadedFile } from '#web/features/uploads/discard-upload.ts'
import type { PictureChoice } from './picture-field.tsx'
import { useUpdateProfile } from './profiles.queries.ts'

interface ProfileChange {
  words: Omit<ProfileInput, 'avatar_url'>
  picture: PictureChoice
}

/** The picture could not be sent; the sentence may be shown. */
export class PictureError extends Error {}

/** Sends the picture first, then everything at once; a picture that ends up unused is taken back. */
export function useSaveProfile() {
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
