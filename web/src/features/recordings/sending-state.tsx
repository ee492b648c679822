import { Send, Smartphone } from 'lucide-react'
import type { ReactNode } from 'react'
import { useWakeLock } from '#web/features/media/use-wake-lock.ts'
import { formatBytes } from '#web/lib/sizes.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import type { Sending } from './use-sound-sending.ts'

interface SendingStateProps {
  sending: Sending
  sizeBytes: number
  isKept: boolean
  /** Nothing can be sent as it is. */
  isDisabled: boolean
  formId: string
  onCancel: () => void
  /** Beside the button that sends. */
  children: ReactNode
}

/** The end of the form: the button that sends, then how far it is, and what to do about a cut. */
export function SendingState({
  sending,
  sizeBytes,
  isKept,
  isDisabled,
  formId,
  onCancel,
  children,
}: SendingStateProps) {
  if (sending.phase === 'sending') {
    return <OnItsWay {...sending} sizeBytes={sizeBytes} onCancel={onCancel} />
  }
  if (sending.phase === 'sharing') {
    return (
      <div role="status">
        <ProgressBar label="Partage du message" percent={100} detail={formatBytes(sizeBytes)} />
      </div>
    )
  }
  const isCut = sending.phase === 'cut'
  return (
    <div className="flex flex-col gap-3">
      {isCut && (
        <Notice tone="warning" title={sending.sentence}>
          {isKept
            ? 'Rien n’est perdu : votre message est gardé sur cet appareil. L’envoi reprendra dès que la connexion sera revenue.'
            : 'Gardez cette page ouverte : l’envoi reprendra dès que la connexion sera revenue.'}
        </Notice>
      )}
      {sending.phase === 'refused' && (
        <Notice tone="error" title={sending.sentence}>
          Rien n’est perdu. Corrigez ce qu’il faut, puis envoyez de nouveau.
        </Notice>
      )}
      <div className="flex items-center gap-2">
        {children}
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

interface OnItsWayProps {
  loadedBytes: number
  sizeBytes: number
  onCancel: () => void
}

function OnItsWay({ loadedBytes, sizeBytes, onCancel }: OnItsWayProps) {
  const isScreenKept = useWakeLock(true)
  return (
    <div className="flex flex-col gap-3">
      <ProgressBar
        label="Envoi du message"
        percent={sizeBytes > 0 ? (loadedBytes / sizeBytes) * 100 : 100}
        detail={`${formatBytes(loadedBytes)} sur ${formatBytes(sizeBytes)}`}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex min-w-0 flex-1 basis-48 items-start gap-2 text-ink-soft text-sm">
          <Smartphone aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {isScreenKept
            ? 'L’écran reste allumé pendant l’envoi.'
            : 'Gardez cette page ouverte et votre téléphone actif pendant l’envoi.'}
        </p>
        <Button variant="secondary" onClick={onCancel}>
          Annuler l’envoi
        </Button>
      </div>
    </div>
  )
}
