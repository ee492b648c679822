import { useState } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { LeaveGuard } from '#web/features/media/leave-guard.tsx'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { RecorderStage } from './recorder-stage.tsx'
import { END_NOTES } from './recorder-words.ts'
import type { WayOut } from './sending-state.tsx'
import { newDraft, recordingTitle } from './sound-draft.ts'
import { TakeReview } from './take-review.tsx'
import { type RecorderState, useRecorder } from './use-recorder.ts'

interface RecorderDialogProps {
  open: boolean
  onClose: () => void
  /** Whom it is for, chosen already. */
  recipientId?: string | undefined
  wayOut: WayOut
}

/** Records a voice, lets it be heard, and sends it. What is recorded stays on this device until it is sent. */
export function RecorderDialog({ open, ...rest }: RecorderDialogProps) {
  return open ? <OpenRecorder {...rest} /> : null
}

const TITLES: Record<RecorderState['phase'], string> = {
  idle: 'Enregistrer un message',
  asking: 'Enregistrer un message',
  recording: 'On vous écoute',
  paused: 'En pause',
  finishing: 'Votre message vocal',
  stopped: 'Votre message vocal',
}

type Question = 'leave' | 'delete'

function OpenRecorder({ onClose, recipientId, wayOut }: Omit<RecorderDialogProps, 'open'>) {
  const { id: ownerId } = useSignedInUser()
  const timeZone = personTimeZone()
  const { state, isRefusedByDevice, start, pause, resume, stop, discard } = useRecorder({
    ownerId,
    newDraft: (startedAtMs) =>
      newDraft(recordingTitle(startedAtMs, timeZone), timeZone, recipientId),
  })
  const [question, setQuestion] = useState<Question>()
  const isLive = state.phase === 'recording' || state.phase === 'paused'
  const isStopped = state.phase === 'stopped'
  const isKept = isStopped ? state.take.isKept : !isRefusedByDevice
  const leave = () => {
    if ((isLive || isStopped) && isKept) showToast('info', KEPT)
    onClose()
  }
  const close = () => {
    if (isLive || (isStopped && !isKept)) setQuestion('leave')
    else leave()
  }
  return (
    <Dialog open onOpenChange={close} title={TITLES[state.phase]} night={!isStopped}>
      {isStopped ? (
        <TakeReview
          ownerId={ownerId}
          take={state.take}
          note={END_NOTES[state.end]}
          wayOut={wayOut}
          onShared={onClose}
          onDelete={discard}
        />
      ) : (
        <RecorderStage
          state={state}
          isRefusedByDevice={isRefusedByDevice}
          onStart={start}
          onPause={pause}
          onResume={resume}
          onStop={stop}
          onDelete={() => setQuestion('delete')}
        />
      )}
      <LeaveGuard
        when={isLive && !isKept}
        title="Quitter la page&nbsp;?"
        description="Cet appareil n’a pas pu garder votre enregistrement&nbsp;: il sera perdu."
      />
      <ConfirmDialog
        open={question === 'leave'}
        onOpenChange={() => setQuestion(undefined)}
        title={isKept ? 'Arrêter l’enregistrement\u00A0?' : 'Fermer sans envoyer\u00A0?'}
        description={isKept ? WILL_BE_KEPT : WILL_BE_LOST}
        confirmLabel={isKept ? 'Arrêter' : 'Fermer'}
        cancelLabel={isLive ? 'Continuer' : 'Annuler'}
        onConfirm={leave}
      />
      <ConfirmDialog
        open={isLive && question === 'delete'}
        onOpenChange={() => setQuestion(undefined)}
        title="Supprimer cet enregistrement&nbsp;?"
        description="Ce que vous venez de dire sera effacé."
        confirmLabel="Supprimer"
        cancelLabel="Continuer"
        onConfirm={() => {
          setQuestion(undefined)
          void discard()
        }}
      />
    </Dialog>
  )
}

const KEPT = 'Votre message est gardé sur cet appareil\u00A0: vous pourrez l’envoyer plus tard.'
const WILL_BE_KEPT =
  'Ce que vous avez dit reste gardé sur cet appareil\u00A0: vous pourrez l’écouter et l’envoyer plus tard.'
const WILL_BE_LOST = 'Cet appareil n’a pas pu garder votre message\u00A0: il sera perdu.'
