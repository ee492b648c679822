import { useEffect, useRef, useState } from 'react'
import { SOUND_MAX_BYTES, SOUND_TITLE_MAX_LENGTH } from '#contract/sounds.ts'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { FileDrop } from '#web/features/media/file-drop.tsx'
import type { RefusalHelp } from '#web/features/media/upload-refusals.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { createId } from '#web/lib/ids.ts'
import type { Release } from '#web/lib/tabs.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { type LoadedRecording, storeFile } from './loaded-recording.ts'
import { RecordingReview } from './recording-review.tsx'
import { deleteRecording, type Recording, recordingsBroadcast } from './recording-store.ts'
import { newDraft } from './voice-message-draft.ts'

interface ImportDialogProps {
  open: boolean
  onClose: () => void
  refusalHelp: RefusalHelp
}

/** Sends an audio file that was recorded elsewhere. */
export function ImportDialog({ open, ...rest }: ImportDialogProps) {
  return open ? <OpenImport {...rest} /> : null
}

function OpenImport({ onClose, refusalHelp }: Omit<ImportDialogProps, 'open'>) {
  const { id: ownerId } = useSignedInUser()
  const { loaded, refusal, choose, markSent, drop } = useImport(ownerId)
  return (
    <Dialog open onOpenChange={onClose} title="Importer un fichier audio">
      {loaded ? (
        <RecordingReview
          key={loaded.recording.id}
          ownerId={ownerId}
          loaded={loaded}
          refusalHelp={refusalHelp}
          onShared={onClose}
          onSend={() => markSent(true)}
          onFileRefused={() => markSent(false)}
          onDelete={drop}
        />
      ) : (
        <div className="pt-3">
          <FileDrop
            label="Choisir un fichier audio"
            hint="MP3, WAV, OGG ou M4A, jusqu’à 50&nbsp;Mo."
            accept={ACCEPTED_AUDIO}
            error={refusal}
            onChoose={([file]) => choose(file)}
          />
        </div>
      )}
    </Dialog>
  )
}

/** The chosen file; the device stores it, and deletes it unless an attempt to send it has begun. */
function useImport(ownerId: string) {
  const [loaded, setLoaded] = useState<LoadedRecording>()
  const [refusal, setRefusal] = useState<string>()
  const claimed = useRef<{ id: string; release: Release; isSent: boolean }>(undefined)

  const release = useRef(async () => {})
  release.current = async () => {
    const { current } = claimed
    claimed.current = undefined
    if (!current) return
    if (!current.isSent) await deleteRecording(ownerId, current.id).catch(() => undefined)
    await current.release()
    recordingsBroadcast.announce()
  }
  useEffect(() => () => void release.current(), [])

  const choose = async (file: File) => {
    const refused = validateAudioFile(file)
    setRefusal(refused)
    if (refused) return
    const recording = recordingOf(file)
    const stored = await storeFile(ownerId, recording, file)
    claimed.current = { id: recording.id, release: stored.release, isSent: false }
    setLoaded(stored.loaded)
  }
  return {
    loaded,
    refusal,
    choose,
    markSent: (isSent: boolean) => {
      if (claimed.current) claimed.current.isSent = isSent
    },
    drop: () => {
      if (claimed.current) claimed.current.isSent = false
      void release.current()
      setLoaded(undefined)
    },
  }
}

function recordingOf(file: File): Recording {
  return {
    id: createId(),
    origin: 'imported',
    startedAtMs: Date.now(),
    fileName: file.name,
    mimeType: file.type,
    durationMs: 0,
    sizeBytes: file.size,
    draft: newDraft(titleOfFile(file.name), personTimeZone()),
    upload: null,
  }
}

/** What the file picker offers. */
const ACCEPTED_AUDIO = 'audio/*,.mp3,.m4a,.wav,.ogg'

// Some systems have no type for these; the server decides from the bytes.
const AUDIO_NAMES = /\.(mp3|m4a|wav|ogg)$/i

type NamedFile = Pick<File, 'name' | 'type' | 'size'>

/** Why a file cannot be imported; undefined when it can. */
export function validateAudioFile({ name, type, size }: NamedFile): string | undefined {
  const isAudio = type.startsWith('audio/') || (type === '' && AUDIO_NAMES.test(name))
  if (!isAudio) return 'Seuls les fichiers audio sont autorisés'
  if (size === 0) return 'Fichier invalide'
  if (size > SOUND_MAX_BYTES) return 'Fichier trop volumineux (max 50MB)'
  return undefined
}

export function titleOfFile(name: string): string {
  const dot = name.lastIndexOf('.')
  return (dot > 0 ? name.slice(0, dot) : name).slice(0, SOUND_TITLE_MAX_LENGTH).trim()
}
