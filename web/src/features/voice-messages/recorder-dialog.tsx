import { useState } from 'react'
import { useSignedInUser } from '#web/features/auth/session.tsx'
import { LeaveGuard } from '#web/features/media/leave-guard.tsx'
import type { RefusalHelp } from '#web/features/media/upload-refusals.ts'
import type { RecordingEnd } from '#web/features/media/voice-recorder.ts'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { ConfirmDialog } from '#web/ui/confirm-dialog.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { showToast } from '#web/ui/toasts.tsx'
import { RecorderPanel } from './recorder-panel.tsx'
import { RecordingReview } from './recording-review.tsx'
import { type RecorderState, useRecorder } from './use-recorder.ts'
import { newDraft, recordingTitle } from './voice-message-draft.ts'

interface RecorderDialogProps {
  open: boolean
  onClose: () => void
  /** The recipient that the form starts with. */
  recipientId?: string | undefined
  refusalHelp: RefusalHelp
}

/** Records a voice message, plays it and sends it; the device stores it until then. */
export function RecorderDialog({ open, ...rest }: RecorderDialogProps) {
  return open ? <OpenRecorder {...rest} /> : null
}

const TITLES: Record<RecorderState['phase'], string> = {
  idle: 'Enregistrer un message',
  requesting: 'Enregistrer un message',
  recording: 'On vous écoute',
  paused: 'En pause',
  finishing: 'Votre message vocal',
  stopped: 'Votre message vocal',
}

type Question = 'leave' | 'delete'

function OpenRecorder({ onClose, recipientId, refusalHelp }: Omit<RecorderDialogProps, 'open'>) {
  const { id: ownerId } = useSignedInUser()
  const timeZone = personTimeZone()
  const { state, isNotStored, start, pause, resume, stop, discard } = useRecorder({
    ownerId,
    newDraft: (startedAtMs) =>
      newDraft(recordingTitle(startedAtMs, timeZone), timeZone, recipientId),
  })
  const [question, setQuestion] = useState<Question>()
  const isLive = state.phase === 'recording' || state.phase === 'paused'
  const isStopped = state.phase === 'stopped'
  const isStored = isStopped ? state.loaded.isStored : !isNotStored
  const leave = () => {
    if ((isLive || isStopped) && isStored) showToast('info', STORED)
    onClose()
  }
  const close = () => {
    if (isLive || (isStopped && !isStored)) setQuestion('leave')
    else leave()
  }
  return (
    <Dialog open onOpenChange={close} title={TITLES[state.phase]} night={!isStopped}>
      {isStopped ? (
        <RecordingReview
          ownerId={ownerId}
          loaded={state.loaded}
          note={END_NOTES[state.end]}
          refusalHelp={refusalHelp}
          onShared={onClose}
          onDelete={discard}
        />
      ) : (
        <RecorderPanel
          state={state}
          isNotStored={isNotStored}
          onStart={start}
          onPause={pause}
          onResume={resume}
          onStop={stop}
          onDelete={() => setQuestion('delete')}
        />
      )}
      <LeaveGuard
        when={isLive && !isStored}
        title="Quitter la page&#8239;?"
        description="Cet appareil n’a pas pu garder votre enregistrement&#8239;: il sera perdu."
      />
      <ConfirmDialog
        open={question === 'leave'}
        onOpenChange={() => setQuestion(undefined)}
        title={isStored ? 'Arrêter l’enregistrement\u202F?' : 'Fermer sans envoyer\u202F?'}
        description={isStored ? WILL_BE_STORED : WILL_BE_LOST}
        confirmLabel={isStored ? 'Arrêter' : 'Fermer'}
        cancelLabel={isLive ? 'Continuer' : 'Annuler'}
        onConfirm={leave}
      />
      <ConfirmDialog
        open={isLive && question === 'delete'}
        onOpenChange={() => setQuestion(undefined)}
        title="Supprimer cet enregistrement&#8239;?"
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

const STORED = 'Votre message est gardé sur cet appareil\u202F: vous pourrez l’envoyer plus tard.'
const WILL_BE_STORED =
  'Ce que vous avez dit reste gardé sur cet appareil\u202F: vous pourrez l’écouter et l’envoyer plus tard.'
const WILL_BE_LOST = 'Cet appareil n’a pas pu garder votre message\u202F: il sera perdu.'

/** Why a recording ended by itself. */
const END_NOTES: Record<RecordingEnd, string | undefined> = {
  stopped: undefined,
  full: 'L’enregistrement a atteint la taille la plus grande (50\u00A0Mo) et s’est arrêté. Tout ce que vous avez dit est gardé.',
  microphone:
    'Le microphone a été coupé. Ce que vous avez dit jusque-là est gardé\u202F: vous pouvez l’envoyer.',
}
