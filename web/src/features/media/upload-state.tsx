import { CircleCheck } from 'lucide-react'
import type { ReactNode } from 'react'
import { TransferProgress } from '#web/features/uploads/transfer-progress.tsx'
import { formatBytes } from '#web/lib/sizes.ts'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { LeaveGuard } from './leave-guard.tsx'
import { ProcessingSteps } from './processing-steps.tsx'
import type { Upload, UploadControls } from './use-upload.ts'
import { WaitingUploads } from './waiting-uploads.tsx'

// From there on nearly all has left: what is waited for is mostly the server.
const PROCESSING_FROM_PERCENT = 90

// What waits elsewhere is in the way: letting it go helps.
const IN_THE_WAY: readonly (string | undefined)[] = [
  'too_many_uploads',
  'quota_exceeded',
  'address_unverified',
]

/** What helps about a refusal with this code, where something does. */
export type WayOut = (code: string | undefined) => ReactNode

interface UploadStateProps extends UploadControls {
  wayOut: WayOut
}

/** How far the file is on its way, and what can be done about it. */
export function UploadState(controls: UploadStateProps) {
  const { upload, isOnItsWay } = controls
  return (
    <>
      <LeaveGuard
        when={isOnItsWay}
        title="Quitter la page&nbsp;?"
        description="L’envoi de votre fichier s’arrête&nbsp;: vous pourrez le reprendre plus tard, là où il en est. Votre texte est gardé sur cet appareil."
      />
      <PhaseView {...controls} upload={upload} />
    </>
  )
}

function PhaseView({ upload, retry, remove, resume, wayOut }: UploadStateProps) {
  switch (upload.phase) {
    case 'sending':
    case 'finishing':
      return (
        <TransferProgress
          label={isProcessing(upload) ? 'Traitement du fichier' : 'Envoi du fichier'}
          loadedBytes={upload.loadedBytes}
          sizeBytes={upload.file.size}
          meanwhile="Continuez d’écrire."
          onCancel={remove}
        />
      )
    case 'waiting':
      return (
        <div className="flex flex-col gap-3">
          <ProgressBar
            label="Envoi en pause"
            percent={(upload.loadedBytes / upload.file.size) * 100}
            detail={`${formatBytes(upload.loadedBytes)} sur ${formatBytes(upload.file.size)}`}
          />
          <Notice
            tone="warning"
            title={upload.sentence}
            action={
              <div className={ACTIONS}>
                <Button onClick={retry}>Reprendre l’envoi</Button>
                <Button variant="secondary" onClick={remove}>
                  Annuler l’envoi
                </Button>
              </div>
            }
          >
            {progressOf(upload)} Continuez d’écrire&nbsp;: rien n’est perdu.
          </Notice>
        </div>
      )
    case 'failed':
      return (
        <div className="flex flex-col gap-4">
          <Notice
            tone="error"
            title={upload.error}
            action={
              <div className={ACTIONS}>
                {upload.mayRetry && (
                  <Button onClick={retry}>
                    {upload.loadedBytes > 0 ? 'Reprendre l’envoi' : 'Réessayer'}
                  </Button>
                )}
                <Button variant="secondary" onClick={remove}>
                  Retirer le fichier
                </Button>
                {wayOut(upload.code)}
              </div>
            }
          >
            {upload.mayRetry &&
              `Ce que vous avez écrit est intact. ${upload.loadedBytes > 0 ? progressOf(upload) : ''}`}
          </Notice>
          {IN_THE_WAY.includes(upload.code) && <WaitingUploads onResume={resume} />}
        </div>
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

// One under the other across a phone, side by side where there is room.
const ACTIONS = 'flex flex-wrap gap-2 *:grow sm:*:grow-0'

type Sending = Extract<Upload, { file: File }>

function isProcessing({ phase, loadedBytes, file }: Sending): boolean {
  return phase === 'finishing' || (loadedBytes / file.size) * 100 >= PROCESSING_FROM_PERCENT
}

function progressOf({ loadedBytes, file }: Sending): string {
  return `${formatBytes(loadedBytes)} sur ${formatBytes(file.size)} de «\u00A0${file.name}\u00A0» sont arrivés.`
}
