import { CircleCheck, X } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { TransferProgress } from '#web/features/uploads/transfer-progress.tsx'
import type { StoredUpload } from '#web/features/uploads/uploads-store.ts'
import { formatBytes, formatDuration } from '#web/lib/format.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { FieldError } from '#web/ui/form-field.tsx'
import { Skeleton } from '#web/ui/loading.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { ProgressBar } from '#web/ui/progress-bar.tsx'
import { AddFiles } from './add-files.tsx'
import type { AlbumItem } from './album-rules.ts'
import { FileDrop } from './file-drop.tsx'
import { FileThumbnail } from './file-thumbnail.tsx'
import { SendingLeaveGuard } from './leave-guard.tsx'
import { ProcessingSteps } from './processing-steps.tsx'
import { type TeaserAudience, TeaserPanel } from './teaser-panel.tsx'
import { isAboutQuota, type RefusalHelp } from './upload-refusals.ts'
import type { Album } from './use-album.ts'
import type { Attachment } from './use-attachment.ts'
import type { FileUpload } from './use-uploads.ts'
import { WaitingUploads } from './waiting-uploads.tsx'

const AlbumList = lazy(async () => ({ default: (await import('./album-list.tsx')).AlbumList }))

const FORMATS = 'Vidéo, image, audio ou PDF, jusqu’à 600\u00A0Mo.'

interface AttachmentSectionProps {
  album: Album
  audience: TeaserAudience
  /** The error of the form about the files or the teaser. */
  error?: string | undefined
  /** A hint about the storage that is left. */
  room?: string | undefined
  refusalHelp: RefusalHelp
}

/** Chooses, sends, orders or removes the files of a letter: one as itself, several as a list. */
export function AttachmentSection({
  album,
  audience,
  error,
  room,
  refusalHelp,
}: AttachmentSectionProps) {
  const { items, first, isList, isFull, withoutTeaser, refusal } = album
  const [item] = items
  const hint = room ? `${FORMATS} ${room}` : FORMATS
  if (!item) {
    return (
      <FileDrop
        label="Joindre un fichier"
        hint={hint}
        multiple
        error={refusal ?? error}
        onChoose={album.add}
      />
    )
  }
  const hasTeaser = first.kind === 'video' && item.upload?.phase !== 'failed'
  return (
    <div className="flex flex-col gap-4">
      {isList ? (
        <Suspense fallback={<Skeleton className="h-48 w-full" />}>
          <AlbumList album={album} room={room} refusalHelp={refusalHelp} />
        </Suspense>
      ) : (
        <OnlyFile {...{ album, item, refusalHelp }} />
      )}
      {isList && error && <FieldError id="album-error">{error}</FieldError>}
      {withoutTeaser && (
        <Notice>
          {`«\u202F${withoutTeaser.name}\u202F» n’est plus le premier\u202F: son extrait n’est pas montré avant la date. Seul le premier fichier peut en avoir un.`}
        </Notice>
      )}
      {hasTeaser && (
        <TeaserPanel attachment={first} audience={audience} error={isList ? undefined : error} />
      )}
      {!isList && item.stored && (
        <FileDrop
          label="Remplacer le fichier"
          hint={hint}
          error={refusal}
          onChoose={([file]) => album.replace(file)}
        />
      )}
      {(isList || !item.stored) && refusal && <FieldError id="refused-files">{refusal}</FieldError>}
      {!isFull && (
        <div className="flex flex-wrap gap-2">
          <AddFiles label="Ajouter d’autres fichiers" onAdd={album.add}>
            Ajouter d’autres fichiers
          </AddFiles>
        </div>
      )}
    </div>
  )
}

interface OnlyFileProps {
  album: Album
  item: AlbumItem
  refusalHelp: RefusalHelp
}

function OnlyFile({ album, item: { id, upload }, refusalHelp }: OnlyFileProps) {
  const { first, isOnItsWay, remove, retry, resume } = album
  return (
    <>
      <FileLine attachment={first} onRemove={() => remove(id)} />
      <SendingLeaveGuard when={isOnItsWay} />
      {upload && (
        <PhaseView
          upload={upload}
          retry={() => retry(id)}
          remove={() => remove(id)}
          resume={resume}
          refusalHelp={refusalHelp}
        />
      )}
    </>
  )
}

function FileLine({ attachment, onRemove }: { attachment: Attachment; onRemove: () => void }) {
  const { kind = 'document', name, sizeBytes, duration, previewUrl } = attachment
  return (
    <div className="flex items-center gap-3">
      <FileThumbnail kind={kind} previewUrl={previewUrl} />
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

interface PhaseViewProps {
  upload: FileUpload
  retry: () => void
  remove: () => void
  resume: (file: File, before: StoredUpload) => void
  refusalHelp: RefusalHelp
}

function PhaseView({ upload, retry, remove, resume, refusalHelp }: PhaseViewProps) {
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
          {isAboutQuota(upload.code) && <WaitingUploads onResume={resume} />}
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

function isProcessing({ phase, loadedBytes, file }: FileUpload): boolean {
  return phase === 'finishing' || (loadedBytes / file.size) * 100 >= PROCESSING_FROM_PERCENT
}

function progressOf({ loadedBytes, file }: FileUpload): string {
  return `${formatBytes(loadedBytes)} sur ${formatBytes(file.size)} de «\u202F${file.name}\u202F» sont arrivés.`
}
