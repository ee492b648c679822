import { FileText, X } from 'lucide-react'
import { formatDuration } from '#web/lib/durations.ts'
import { formatBytes } from '#web/lib/sizes.ts'
import { IconButton } from '#web/ui/icon-button.tsx'
import { FileDrop } from './file-drop.tsx'
import { FILE_ICONS } from './file-icons.ts'
import { type TeaserAudience, TeaserPanel } from './teaser-panel.tsx'
import { UploadState, type WayOut } from './upload-state.tsx'
import type { Attachment } from './use-attachment.ts'

const FORMATS = 'Vidéo, image, audio ou PDF, jusqu’à 600\u00A0Mo.'

interface AttachmentSectionProps {
  attachment: Attachment
  audience: TeaserAudience
  /** What the form says of the file or its teaser. */
  error?: string | undefined
  /** What one should know of the room there is before choosing a file. */
  room?: string | undefined
  wayOut: WayOut
}

/** The file that goes with a letter: chosen, sent, watched on its way, replaced or taken away. */
export function AttachmentSection({
  attachment,
  audience,
  error,
  room,
  wayOut,
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
      <UploadState {...attachment} wayOut={wayOut} />
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
        <span className="digits text-ink-soft text-sm">
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
