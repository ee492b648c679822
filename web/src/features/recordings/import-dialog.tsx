import { useEffect, useRef, useState } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { FileDrop } from '#web/features/media/file-drop.tsx'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import type { Release } from '#web/lib/tab-locks.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { ACCEPTED_SOUNDS, refuseSound, titleOfFile } from './import-rules.ts'
import { type KeptRecording, newRecordingId, type Take } from './kept-recording.ts'
import { keepFile } from './open-take.ts'
import { eraseRecording, recordingsNews } from './recording-store.ts'
import type { WayOut } from './sending-state.tsx'
import { newDraft } from './sound-draft.ts'
import { TakeReview } from './take-review.tsx'

interface ImportDialogProps {
  open: boolean
  onClose: () => void
  wayOut: WayOut
}

/** Sends a sound that was recorded elsewhere. */
export function ImportDialog({ open, ...rest }: ImportDialogProps) {
  return open ? <OpenImport {...rest} /> : null
}

function OpenImport({ onClose, wayOut }: Omit<ImportDialogProps, 'open'>) {
  const { id: ownerId } = useSignedInUser()
  const { take, refusal, choose, markSent, drop } = useImport(ownerId)
  return (
    <Dialog open onOpenChange={onClose} title="Importer un fichier audio">
      {take ? (
        <TakeReview
          key={take.recording.id}
          ownerId={ownerId}
          take={take}
          wayOut={wayOut}
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
            accept={ACCEPTED_SOUNDS}
            error={refusal}
            onChoose={choose}
          />
        </div>
      )}
    </Dialog>
  )
}

/** The chosen file, which this device keeps from the first attempt to send it until it has arrived. */
function useImport(ownerId: string) {
  const [take, setTake] = useState<Take>()
  const [refusal, setRefusal] = useState<string>()
  const held = useRef<{ id: string; release: Release; isSent: boolean }>(undefined)

  const letGo = useRef(async () => {})
  letGo.current = async () => {
    const { current } = held
    held.current = undefined
    if (!current) return
    if (!current.isSent) await eraseRecording(ownerId, current.id).catch(() => undefined)
    await current.release()
    recordingsNews.announce()
  }
  useEffect(() => () => void letGo.current(), [])

  const choose = async (file: File) => {
    const refused = refuseSound(file)
    setRefusal(refused)
    if (refused) return
    const recording = recordingOf(file)
    const kept = await keepFile(ownerId, recording, file)
    held.current = { id: recording.id, release: kept.release, isSent: false }
    setTake(kept.take)
  }
  return {
    take,
    refusal,
    choose,
    markSent: (isSent: boolean) => {
      if (held.current) held.current.isSent = isSent
    },
    drop: () => {
      if (held.current) held.current.isSent = false
      void letGo.current()
      setTake(undefined)
    },
  }
}

function recordingOf(file: File): KeptRecording {
  return {
    id: newRecordingId(),
    origin: 'imported',
    startedAtMs: Date.now(),
    fileName: file.name,
    mimeType: file.type,
    durationMs: 0,
    sizeBytes: file.size,
    draft: newDraft(titleOfFile(file.name), personTimeZone()),
    upload: null,
    asked: null,
  }
}
