import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '#web/features/auth/session.tsx'
import type { Release } from '#web/lib/tab-locks.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import type { KeptRecording, Take } from './kept-recording.ts'
import { openTake } from './open-take.ts'
import { eraseRecording, recordingsNews } from './recording-store.ts'
import { useUnsentRecordings } from './recordings.queries.ts'
import { takeBackUpload } from './send-sound.ts'
import type { WayOut } from './sending-state.tsx'
import { TakeReview } from './take-review.tsx'
import { UnsentRecording } from './unsent-recording.tsx'

interface UnsentRecordingsProps {
  wayOut: WayOut
}

/** What this person recorded on this device and did not send yet, offered again; nothing when there is none. */
export function UnsentRecordings({ wayOut }: UnsentRecordingsProps) {
  const { user } = useSession()
  return user ? <OwnUnsentRecordings key={user.id} ownerId={user.id} wayOut={wayOut} /> : null
}

function OwnUnsentRecordings({ ownerId, wayOut }: UnsentRecordingsProps & { ownerId: string }) {
  const recordings = useUnsentRecordings(ownerId)
  const { take, resume, leave } = useResumed(ownerId)
  const [doomed, setDoomed] = useState<KeptRecording>()
  const erase = async (recording: KeptRecording) => {
    takeBackUpload(recording)
    await eraseRecording(ownerId, recording.id)
    recordingsNews.announce()
  }
  return (
    <>
      {recordings.length > 0 && (
        <Panel title={titleFor(recordings.length)} intro={introFor(recordings.length)}>
          <ul className="divide-y divide-line">
            {recordings.map((recording) => (
              <UnsentRecording
                key={recording.id}
                ownerId={ownerId}
                recording={recording}
                onResume={() => void resume(recording.id)}
                onDelete={() => setDoomed(recording)}
              />
            ))}
          </ul>
        </Panel>
      )}
      {take && (
        <Dialog open onOpenChange={leave} title="Votre message vocal">
          <TakeReview
            ownerId={ownerId}
            take={take}
            wayOut={wayOut}
            onShared={leave}
            onDelete={async () => {
              await eraseRecording(ownerId, take.recording.id)
              leave()
            }}
          />
        </Dialog>
      )}
      <ConfirmDialog
        open={doomed !== undefined}
        onOpenChange={() => setDoomed(undefined)}
        title="Supprimer cet enregistrement&nbsp;?"
        description="Il n’a pas été envoyé&nbsp;: personne ne pourra plus l’écouter."
        confirmLabel="Supprimer"
        onConfirm={() => {
          if (doomed) void erase(doomed)
          setDoomed(undefined)
        }}
      />
    </>
  )
}

function introFor(count: number): string {
  return count === 1
    ? 'Il n’est que sur cet appareil, et se déconnecter l’efface\u00A0: envoyez-le avant.'
    : 'Ils ne sont que sur cet appareil, et se déconnecter les efface\u00A0: envoyez-les avant.'
}

function titleFor(count: number): string {
  return count === 1
    ? 'Vous avez un message vocal non envoyé'
    : `Vous avez ${count} messages vocaux non envoyés`
}

/** The recording that is taken up again, which belongs to this tab meanwhile. */
function useResumed(ownerId: string) {
  const [take, setTake] = useState<Take>()
  const release = useRef<Release>(undefined)
  const letGo = useCallback(() => {
    void release.current?.().then(recordingsNews.announce)
    release.current = undefined
  }, [])
  useEffect(() => letGo, [letGo])
  const resume = async (id: string) => {
    const held = await openTake(ownerId, id).catch(() => undefined)
    if (!held) {
      recordingsNews.announce()
      return showToast('info', 'Ce message est ouvert ou vient d’être envoyé dans un autre onglet.')
    }
    release.current = held.release
    setTake(held.take)
    recordingsNews.announce()
  }
  const leave = () => {
    setTake(undefined)
    letGo()
  }
  return { take, resume, leave }
}
