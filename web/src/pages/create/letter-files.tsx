import { useWatch } from 'react-hook-form'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { AddFiles } from '#web/features/media/add-files.tsx'
import { AttachmentSection } from '#web/features/media/attachment-section.tsx'
import type { Album } from '#web/features/media/use-album.ts'
import { WaitingUploads } from '#web/features/media/waiting-uploads.tsx'
import { FileWordsField } from '#web/features/revelations/file-words-field.tsx'
import { isSealVoiceFile } from '#web/features/revelations/use-seal-voice.ts'
import { VISIBILITY_HINTS } from '#web/features/revelations/visibility-hints.ts'
import { useStorageHint } from '#web/features/subscriptions/plan-limits.tsx'
import { limitHelp } from '#web/features/subscriptions/plans-link.tsx'
import { useVoiceUploads } from '#web/features/voice-messages/recordings.queries.ts'
import { FieldError } from '#web/ui/form-field.tsx'
import type { Writing } from './use-writing.ts'

interface LetterFilesProps {
  writing: Writing
  isTried: boolean
}

/** What is joined to the letter, on its sheet, and what waits to be. */
export function LetterFiles({ writing, isTried }: LetterFilesProps) {
  const { form, state } = writing
  const { album, voice, fileSection, fileRefusal } = state
  const { id: userId } = useSignedInUser()
  const visibility = useWatch({ control: form.control, name: 'visibility' })
  const room = useStorageHint()
  const voiceUploads = useVoiceUploads(userId)
  const error = fileRefusal ?? (isTried ? album.problem : undefined)
  const refused = album.refusal ?? error
  return (
    <div ref={fileSection} tabIndex={-1} className="flex flex-col gap-4 rounded-field empty:hidden">
      <WaitingUploads
        except={new Set([...voiceUploads, ...album.items.map(({ id }) => id)])}
        draftId={state.draftId}
        // What is of no letter may become the file of this one.
        isDraftOnly={album.items.some(({ upload }) => upload)}
        onResume={(file, before) => (isSealVoiceFile(before) ? voice : album).resume(file, before)}
      />
      {album.items.length > 0 ? (
        <AttachmentSection
          album={album}
          audience={VISIBILITY_HINTS[visibility].teaser}
          error={error}
          room={room}
          refusalHelp={limitHelp}
        />
      ) : (
        refused && <FieldError id="file-error">{refused}</FieldError>
      )}
      <FileWordsField form={form} album={album} />
    </div>
  )
}

/** Chooses the first ones, from the files of the device or its camera. */
export function AddFirstFiles({ album }: { album: Album }) {
  if (album.items.length > 0) return null
  return (
    <AddFiles label="Joindre un fichier" onAdd={album.add}>
      Photo, film ou fichier
    </AddFiles>
  )
}
