import { Camera, Trash2 } from 'lucide-react'
import { lazy, type Ref, Suspense, useId, useState } from 'react'
import { useObjectUrl } from '#web/features/media/use-object-url.ts'
import { initialOf } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/form-field.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { type Picture, readPicture, releasePicture } from './picture.ts'

const CropDialog = lazy(async () => ({ default: (await import('./crop-dialog.tsx')).CropDialog }))

/** `undefined`: unchanged. `null`: removed. */
export type PictureChoice = File | null | undefined

interface PictureFieldProps {
  pseudo: string
  stored: string | null
  choice: PictureChoice
  onChoose: (choice: PictureChoice) => void
  error?: string | undefined
  /** The control that chooses a file. */
  ref?: Ref<HTMLInputElement>
}

/** The profile picture: chosen, cropped to a square, shown before it is saved. */
export function PictureField({ pseudo, stored, choice, onChoose, error, ref }: PictureFieldProps) {
  const id = useId()
  const [picture, setPicture] = useState<Picture>()
  const [refusal, setRefusal] = useState<string>()
  const chosenUrl = useObjectUrl(choice ?? undefined)
  const shown = choice === undefined ? stored : (chosenUrl ?? null)
  const shownError = refusal ?? error

  const read = async (file: File) => {
    const outcome = await readPicture(file)
    setRefusal('error' in outcome ? outcome.error : undefined)
    if ('picture' in outcome) setPicture(outcome.picture)
  }
  const closeCrop = () => {
    if (picture) releasePicture(picture.image)
    setPicture(undefined)
  }
  return (
    <div>
      <div className="flex flex-wrap items-center gap-4">
        {shown ? (
          <img
            src={shown}
            alt="Aperçu"
            className="size-20 shrink-0 rounded-full border border-line object-cover sm:size-24"
          />
        ) : (
          <WaxSeal initial={initialOf(pseudo)} className="size-20 shrink-0 sm:size-24" />
        )}
        <div className="flex min-w-0 flex-1 basis-40 flex-col items-start gap-2 sm:flex-row">
          <div className="relative inline-flex min-h-11 items-center gap-2 rounded-field border border-line-strong bg-surface px-4 font-semibold hover:bg-sunken has-focus-visible:outline-3 has-focus-visible:outline-focus has-focus-visible:outline-offset-2">
            <Camera aria-hidden="true" className="size-5" />
            <label htmlFor={id} className="after:absolute after:inset-0">
              {shown ? 'Changer la photo' : 'Choisir une photo'}
            </label>
            <input
              ref={ref}
              id={id}
              type="file"
              accept="image/*"
              aria-describedby={shownError ? `${id}-error` : undefined}
              aria-invalid={shownError ? true : undefined}
              className="absolute inset-0 size-full cursor-pointer opacity-0"
              onChange={(event) => {
                const file = event.target.files?.[0]
                if (file) void read(file)
                // The same file may be chosen again after a refusal.
                event.target.value = ''
              }}
            />
          </div>
          {shown && (
            <Button
              variant="ghost"
              icon={<Trash2 aria-hidden="true" className="size-5" />}
              onClick={() => {
                setRefusal(undefined)
                onChoose(stored ? null : undefined)
              }}
            >
              Retirer la photo
            </Button>
          )}
        </div>
      </div>
      {shownError && (
        <div className="mt-2">
          <FieldError id={`${id}-error`}>{shownError}</FieldError>
        </div>
      )}
      {picture && (
        <Suspense>
          <CropDialog
            picture={picture}
            onClose={closeCrop}
            onCut={(file) => {
              closeCrop()
              onChoose(file)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
