import { Send } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RefusalHelp } from '#web/features/media/upload-refusals.ts'
import { TransferProgress } from '#web/features/uploads/transfer-progress.tsx'
import { formatBytes } from '#web/lib/format.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import type { Sending } from './send-voice-message.ts'

interface SendingStateProps {
  sending: Sending
  sizeBytes: number
  isStored: boolean
  isDisabled: boolean
  formId: string
  refusalHelp: RefusalHelp
  onCancel: () => void
  /** The button beside « Envoyer ». */
  children: ReactNode
}

/** The end of the form: the button that sends, then the progress, then what to do after a failure. */
export function SendingState({
  sending,
  sizeBytes,
  isStored,
  isDisabled,
  formId,
  refusalHelp,
  onCancel,
  children,
}: SendingStateProps) {
  if (sending.phase === 'sending') {
    const { loadedBytes } = sending
    return <TransferProgress label="Envoi du message" {...{ loadedBytes, sizeBytes, onCancel }} />
  }
  if (sending.phase === 'finishing' || sending.phase === 'sharing') {
    const label = sending.phase === 'sharing' ? 'Partage du message' : 'Traitement du fichier'
    return (
      <div role="status">
        <ProgressBar label={label} percent={100} detail={formatBytes(sizeBytes)} />
      </div>
    )
  }
  const way = sending.phase === 'refused' && refusalHelp(sending.code)
  const isCut = sending.phase === 'cut' || sending.phase === 'waiting'
  return (
    <div className="flex flex-col gap-3">
      {isCut && (
        <Notice tone="warning" title={sending.sentence}>
          {isStored
            ? 'Rien n’est perdu\u202F: votre message est gardé sur cet appareil. L’envoi reprendra dès que la connexion sera revenue.'
            : 'Gardez cette page ouverte\u202F: l’envoi reprendra dès que la connexion sera revenue.'}
        </Notice>
      )}
      {sending.phase === 'refused' && (
        <Notice tone="error" title={sending.sentence} action={way}>
          {way
            ? 'Rien n’est perdu. Faites de la place, puis envoyez de nouveau.'
            : 'Rien n’est perdu. Corrigez ce qu’il faut, puis envoyez de nouveau.'}
        </Notice>
      )}
      <div className="flex items-center gap-2">
        {sending.phase === 'waiting' ? (
          <Button large variant="secondary" onClick={onCancel}>
            Annuler l’envoi
          </Button>
        ) : (
          children
        )}
        <Button
          large
          type="submit"
          form={formId}
          disabled={isDisabled}
          className="flex-1"
          icon={<Send aria-hidden="true" className="size-5" />}
        >
          {isCut ? 'Reprendre l’envoi' : 'Envoyer'}
        </Button>
      </div>
    </div>
  )
}
