import { ImagePlus } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { useWatch } from 'react-hook-form'
import { ACCEPTED_FILES } from '#contract/media.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { AttachmentSection } from '#web/features/media/attachment-section.tsx'
import type { Attachment } from '#web/features/media/use-attachment.ts'
import { WaitingUploads } from '#web/features/media/waiting-uploads.tsx'
import { FileWordsField } from '#web/features/revelations/file-words-field.tsx'
import { isSealVoiceFile } from '#web/features/revelations/use-seal-voice.ts'
import { VISIBILITY_HINTS } from '#web/features/revelations/visibility-hints.ts'
import { useStorageHint } from '#web/features/subscriptions/plan-limits.tsx'
import { limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { useVoiceUploads } from '#web/features/voice-messages/recordings.queries.ts'
import { Button } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/form-field.tsx'
import type { Writing } from './use-writing.ts'

interface LetterFilesProps {
  writing: Writing
  isTried: boolean
}

/** What is joined to the letter, on its sheet, and what waits to be. */
export function LetterFiles({ writing, isTried }: LetterFilesProps) {
  const { form, state } = writing
  const { attachment, voice, fileSection, fileRefusal } = state
  const { id: userId } = useSignedInUser()
  const visibility = useWatch({ control: form.control, name: 'visibility' })
  const room = useStorageHint()
  const voiceUploads = useVoiceUploads(userId)
  const error = fileRefusal ?? (isTried ? attachment.problem : undefined)
  const refused = attachment.upload.phase === 'refused' ? attachment.upload.error : error
  return (
    <div ref={fileSection} tabIndex={-1} className="flex flex-col gap-4 rounded-field empty:hidden">
      {!('file' in attachment.upload) && (
        <WaitingUploads
          except={voiceUploads}
          draftId={state.draftId}
          onResume={(file, before) =>
            (isSealVoiceFile(before) ? voice : attachment).resume(file, before)
          }
        />
      )}
      {attachment.kind ? (
        <AttachmentSection
          attachment={attachment}
          audience={VISIBILITY_HINTS[visibility].teaser}
          error={error}
          room={room}
          refusalHelp={limitHelp}
        />
      ) : (
        refused && <FieldError id="file-error">{refused}</FieldError>
      )}
      <FileWordsField form={form} kind={attachment.kind} />
    </div>
  )
}

/** Chooses one, from the files of the device or its camera. */
export function AddFile({ attachment }: { attachment: Attachment }) {
  const input = useRef<HTMLInputElement>(null)
  if (attachment.kind) return null
  const choose = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const [file] = target.files ?? []
    // The same file may be chosen again after a refusal.
    target.value = ''
    if (file) attachment.choose(file)
  }
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED_FILES}
        aria-label="Joindre un fichier"
        onChange={choose}
      />
      <Button
        variant="secondary"
        icon={<ImagePlus aria-hidden="true" className="size-5" />}
        onClick={() => input.current?.click()}
      >
        Photo, film ou fichier
      </Button>
    </>
  )
}
