import { CircleCheck, FileText, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { TransferProgress } from '#web/features/uploads/transfer-progress.tsx'
import { formatBytes, formatDuration } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { FileDrop } from './file-drop.tsx'
import { FILE_ICONS } from './file-icons.ts'
import { LeaveGuard } from './leave-guard.tsx'
import { ProcessingSteps } from './processing-steps.tsx'
import { type TeaserAudience, TeaserPanel } from './teaser-panel.tsx'
import type { Attachment } from './use-attachment.ts'
import type { Upload, UploadControls } from './use-upload.ts'
import { WaitingUploads } from './waiting-uploads.tsx'

const FORMATS = 'Vidéo, image, audio ou PDF, jusqu’à 600\u00A0Mo.'

interface AttachmentSectionProps {
  attachment: Attachment
  audience: TeaserAudience
  /** The error of the form about the file or its teaser. */
  error?: string | undefined
  /** A hint about the storage that is left. */
  room?: string | undefined
  refusalHelp: RefusalHelp
}

/** Chooses, sends, replaces or removes the file of a letter. */
export function AttachmentSection({
  attachment,
  audience,
  error,
  room,
  refusalHelp,
}: AttachmentSectionProps) {
  const { upload, stored, kind, choose, remove, removeStored } = attachment
  const hint = room ? `${FORMATS} ${room}` : FORMATS
  if (!kind) {
    return (
      <FileDrop
        label="Joindre un fichier"
        hint={hint}
        error={upload.phase === 'refused' ? upload.error : error}
        onChoose={choose}
      />
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <FileLine attachment={attachment} onRemove={stored ? removeStored : remove} />
      <UploadState {...attachment} refusalHelp={refusalHelp} />
      {kind === 'video' && upload.phase !== 'failed' && (
        <TeaserPanel attachment={attachment} audience={audience} error={error} />
      )}
      {stored && (
        <FileDrop
          label="Remplacer le fichier"
          hint={hint}
          error={upload.phase === 'refused' ? upload.error : undefined}
          onChoose={choose}
        />
      )}
    </div>
  )
}

interface FileLineProps {
  attachment: Attachment
  onRemove: () => void
}

function FileLine({ attachment, onRemove }: FileLineProps) {
  const { kind, name, sizeBytes, duration, previewUrl } = attachment
  const Icon = kind ? FILE_ICONS[kind] : FileText
  return (
    <div className="flex items-center gap-3">
      <span className="flex size-14 shrink-0 items-center justify-center overflow-hidden rounded-field bg-sunken text-ink-soft">
        {kind === 'image' && previewUrl ? (
          <img src={previewUrl} alt="" className="size-full object-cover" />
        ) : (
          <Icon aria-hidden="true" className="size-7" />
        )}
      </span>
      <p className="min-w-0 flex-1">
        <span className="block truncate font-semibold">{name}</span>
        <span className="tabular-digits text-ink-soft text-sm">
          {sizeBytes !== undefined && formatBytes(sizeBytes)}
          {duration !== undefined && ` · ${formatDuration(duration)}`}
        </span>
      </p>
      <IconButton
        label="Retirer le fichier"
        icon={<X aria-hidden="true" className="size-5" />}
        onClick={onRemove}
      />
    </div>
  )
}

// From here on the wait is mostly for the server.
const PROCESSING_FROM_PERCENT = 90

// After these refusals, abandoning another upload helps.
const CODES_OF_QUOTA: readonly (string | undefined)[] = [
  'too_many_uploads',
  'quota_exceeded',
  'address_unverified',
]

/** A link that helps after a refusal with this code. */
export type RefusalHelp = (code: string | undefined) => ReactNode

interface UploadStateProps extends UploadControls {
  refusalHelp: RefusalHelp
}

function UploadState(controls: UploadStateProps) {
  const { upload, isOnItsWay } = controls
  return (
    <>
      <LeaveGuard
        when={isOnItsWay}
        title="Quitter la page&#8239;?"
        description="L’envoi de votre fichier s’arrête&#8239;: vous pourrez le reprendre plus tard, là où il en est. Votre texte est gardé sur cet appareil."
      />
      <PhaseView {...controls} upload={upload} />
    </>
  )
}

function PhaseView({ upload, retry, remove, resume, refusalHelp }: UploadStateProps) {
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
            {progressOf(upload)} Continuez d’écrire&#8239;: rien n’est perdu.
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
                {refusalHelp(upload.code)}
              </div>
            }
          >
            {upload.mayRetry &&
              `Ce que vous avez écrit est intact. ${upload.loadedBytes > 0 ? progressOf(upload) : ''}`}
          </Notice>
          {CODES_OF_QUOTA.includes(upload.code) && <WaitingUploads onResume={resume} />}
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

const ACTIONS = 'flex flex-wrap gap-2 *:grow sm:*:grow-0'

type Sending = Extract<Upload, { file: File }>

function isProcessing({ phase, loadedBytes, file }: Sending): boolean {
  return phase === 'finishing' || (loadedBytes / file.size) * 100 >= PROCESSING_FROM_PERCENT
}

function progressOf({ loadedBytes, file }: Sending): string {
  return `${formatBytes(loadedBytes)} sur ${formatBytes(file.size)} de «\u202F${file.name}\u202F» sont arrivés.`
}
