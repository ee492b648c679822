import { CircleCheck, Smartphone } from 'lucide-react'
import { formatBytes } from '#web/lib/sizes.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { ProcessingSteps } from './processing-steps.tsx'
import type { UploadControls } from './use-upload.ts'
import { useWakeLock } from './use-wake-lock.ts'

// From there on nearly all has left: what is waited for is mostly the server.
const PROCESSING_FROM_PERCENT = 90

/** How far the file is on its way, and what can be done about it. */
export function UploadState({ upload, retry, remove }: UploadControls) {
  switch (upload.phase) {
    case 'sending':
      return <Sending file={upload.file} loadedBytes={upload.loadedBytes} onCancel={remove} />
    case 'failed':
      return (
        <Notice
          tone="error"
          title={upload.error}
          action={
            <div className="flex flex-wrap gap-2">
              {upload.mayRetry && <Button onClick={retry}>Réessayer</Button>}
              <Button variant="secondary" onClick={remove}>
                Retirer le fichier
              </Button>
            </div>
          }
        >
          {upload.mayRetry && 'Ce que vous avez écrit est intact. L’envoi reprendra du début.'}
        </Notice>
      )
    case 'sent':
      return (
        <div className="flex flex-col gap-3">
          <p role="status" className="flex items-center gap-2 font-semibold text-leaf-ink">
            <CircleCheck aria-hidden="true" className="size-5 shrink-0" />
            Upload terminé
          </p>
          <ProcessingSteps jobs={upload.result.processing.jobs} />
        </div>
      )
    default:
      return null
  }
}

interface SendingProps {
  file: File
  loadedBytes: number
  onCancel: () => void
}

function Sending({ file, loadedBytes, onCancel }: SendingProps) {
  const isScreenKept = useWakeLock(true)
  const percent = file.size > 0 ? (loadedBytes / file.size) * 100 : 100
  return (
    <div className="flex flex-col gap-3">
      <LeaveGuard
        when
        title="Quitter la page ?"
        description="L’envoi de votre fichier s’arrête. Votre texte est gardé sur cet appareil."
      />
      <ProgressBar
        label={percent >= PROCESSING_FROM_PERCENT ? 'Traitement du fichier' : 'Envoi du fichier'}
        percent={percent}
        detail={`${formatBytes(loadedBytes)} sur ${formatBytes(file.size)}`}
      />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="flex min-w-0 flex-1 basis-56 items-start gap-2 text-ink-soft text-sm">
          <Smartphone aria-hidden="true" className="mt-0.5 size-4 shrink-0" />
          {isScreenKept
            ? 'L’écran reste allumé pendant l’envoi. Continuez d’écrire.'
            : 'Gardez cette page ouverte et votre téléphone actif pendant l’envoi.'}
        </p>
        <Button variant="secondary" onClick={onCancel}>
          Annuler l’envoi
        </Button>
      </div>
    </div>
  )
}
