import { Play, Send, Trash2 } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useSession } from '#web/features/auth/session.tsx'
import type { RefusalHelp } from '#web/features/media/upload-refusals.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { formatShortInstant } from '#web/lib/dates.ts'
import { formatBytes, formatDuration } from '#web/lib/format.ts'
import type { Release } from '#web/lib/tabs.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { Panel } from '#web/ui/panel.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { claimRecording, type LoadedRecording, loadRecording } from './loaded-recording.ts'
import { RecordingPlayer, RecordingReview } from './recording-review.tsx'
import { deleteRecording, type Recording, recordingsBroadcast } from './recording-store.ts'
import { useUnsentRecordings } from './recordings.queries.ts'
import { discardUpload } from './send-voice-message.ts'

interface UnsentRecordingsProps {
  refusalHelp: RefusalHelp
}

/** Offers the unsent recordings of this account again; renders nothing when there are none. */
export function UnsentRecordings({ refusalHelp }: UnsentRecordingsProps) {
  const { user } = useSession()
  return user ? (
    <OwnUnsentRecordings key={user.id} ownerId={user.id} refusalHelp={refusalHelp} />
  ) : null
}

function OwnUnsentRecordings({
  ownerId,
  refusalHelp,
}: UnsentRecordingsProps & { ownerId: string }) {
  const recordings = useUnsentRecordings(ownerId)
  const { loaded, resume, leave } = useResumed(ownerId)
  const [toDelete, setToDelete] = useState<Recording>()
  const discard = async (recording: Recording) => {
    discardUpload(recording)
    await deleteRecording(ownerId, recording.id)
    recordingsBroadcast.announce()
  }
  return (
    <>
      {recordings.length > 0 && (
        <Panel title={titleOf(recordings.length)} intro={introOf(recordings.length)}>
          <ul className="divide-y divide-line">
            {recordings.map((recording) => (
              <UnsentRecording
                key={recording.id}
                ownerId={ownerId}
                recording={recording}
                onResume={() => void resume(recording.id)}
                onDelete={() => setToDelete(recording)}
              />
            ))}
          </ul>
        </Panel>
      )}
      {loaded && (
        <Dialog open onOpenChange={leave} title="Votre message vocal">
          <RecordingReview
            ownerId={ownerId}
            loaded={loaded}
            refusalHelp={refusalHelp}
            onShared={leave}
            onDelete={async () => {
              await deleteRecording(ownerId, loaded.recording.id)
              leave()
            }}
          />
        </Dialog>
      )}
      <ConfirmDialog
        open={toDelete !== undefined}
        onOpenChange={() => setToDelete(undefined)}
        title="Supprimer cet enregistrement&#8239;?"
        description="Il n’a pas été envoyé&#8239;: personne ne pourra plus l’écouter."
        confirmLabel="Supprimer"
        onConfirm={() => {
          if (toDelete) void discard(toDelete)
          setToDelete(undefined)
        }}
      />
    </>
  )
}

function introOf(count: number): string {
  return count === 1
    ? 'Il n’est que sur cet appareil, et se déconnecter l’efface\u202F: envoyez-le avant.'
    : 'Ils ne sont que sur cet appareil, et se déconnecter les efface\u202F: envoyez-les avant.'
}

function titleOf(count: number): string {
  return count === 1
    ? 'Vous avez un message vocal non envoyé'
    : `Vous avez ${count} messages vocaux non envoyés`
}

/** The recording that is opened again, locked for this tab meanwhile. */
function useResumed(ownerId: string) {
  const [loaded, setLoaded] = useState<LoadedRecording>()
  const release = useRef<Release>(undefined)
  const unlock = useCallback(() => {
    void release.current?.().then(recordingsBroadcast.announce)
    release.current = undefined
  }, [])
  useEffect(() => unlock, [unlock])
  const resume = async (id: string) => {
    const claimed = await claimRecording(ownerId, id).catch(() => undefined)
    if (!claimed) {
      recordingsBroadcast.announce()
      return showToast('info', 'Ce message est ouvert ou vient d’être envoyé dans un autre onglet.')
    }
    release.current = claimed.release
    setLoaded(claimed.loaded)
    recordingsBroadcast.announce()
  }
  const leave = () => {
    setLoaded(undefined)
    unlock()
  }
  return { loaded, resume, leave }
}

interface UnsentRecordingProps {
  ownerId: string
  recording: Recording
  onResume: () => void
  onDelete: () => void
}

function UnsentRecording({ ownerId, recording, onResume, onDelete }: UnsentRecordingProps) {
  const [loaded, setLoaded] = useState<LoadedRecording>()
  const [isUnreadable, setUnreadable] = useState(false)
  const title = recording.draft.title.trim() || 'Sans titre'
  const listen = () =>
    loadRecording(ownerId, recording)
      .then(setLoaded)
      .catch(() => setUnreadable(true))
  return (
    <li className="flex flex-col gap-3 py-3 first:pt-0 last:pb-0">
      <p className="min-w-0">
        <span className="block break-words font-semibold">{title}</span>
        <span className="text-ink-soft text-sm tabular-nums">{factsOf(recording)}</span>
      </p>
      {loaded && <RecordingPlayer loaded={loaded} title={title} />}
      {isUnreadable && (
        <Notice tone="error">Cet enregistrement ne peut plus être lu sur cet appareil.</Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={onResume} icon={<Send aria-hidden="true" className="size-4.5" />}>
          Reprendre l’envoi
        </Button>
        {!loaded && (
          <Button
            variant="secondary"
            onClick={listen}
            icon={<Play aria-hidden="true" className="size-4.5" />}
          >
            Écouter
          </Button>
        )}
        <IconButton
          label={`Supprimer ${title}`}
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onClick={onDelete}
        />
      </div>
    </li>
  )
}

function factsOf({ origin, durationMs, sizeBytes, startedAtMs }: Recording): string {
  const length = origin === 'recorded' ? formatDuration(durationMs / 1000) : formatBytes(sizeBytes)
  return `${length} · ${formatShortInstant(new Date(startedAtMs), personTimeZone())}`
}
