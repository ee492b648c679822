import {
  type FileType,
  isOpen,
  type OpenRevelation,
  type Revelation,
} from '#contract/revelations.ts'
import { paths } from '#web/app/paths.ts'
import { AudioPlayer } from '#web/features/media/audio-player.tsx'
import { DownloadButton } from '#web/features/media/download-button.tsx'
import { FILE_ICONS } from '#web/features/media/file-icons.ts'
import { ImageView } from '#web/features/media/image-view.tsx'
import { VideoPlayer } from '#web/features/media/video-player.tsx'
import { siteOrigin } from '#web/lib/site-address.ts'
import { classNames } from '#web/ui/class-names.ts'
import { useRenewUrl } from './use-renew-url.ts'

const ON_PAPER: Partial<Record<FileType, string>> = {
  video: 'Cette vidéo se regarde',
  audio: 'Ce message s’écoute',
  document: 'Ce document se télécharge',
}

/** The file of a letter, for whoever may read it: seen or heard here, and saved under its true name. */
export function LetterFile({ revelation }: { revelation: OpenRevelation }) {
  const { id, file_type, file_url, file_name, file_size } = revelation
  const renewUrl = useRenewUrl(id)
  if (!file_type || !file_url) return null
  const Icon = FILE_ICONS[file_type]
  const onPaper = ON_PAPER[file_type]
  return (
    <div className="flex flex-col gap-3">
      <Shown revelation={revelation} fileUrl={file_url} />
      <div
        className={classNames(
          'flex flex-wrap items-center justify-between gap-3',
          !onPaper && 'print:hidden',
        )}
      >
        <p className="flex min-w-0 items-center gap-2 text-ink-soft text-sm">
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{file_name}</span>
        </p>
        <DownloadButton
          label="Télécharger"
          url={file_url}
          fileName={file_name ?? 'fichier'}
          sizeBytes={file_size}
          renew={renewUrl(originalOf)}
        />
      </div>
      {onPaper && (
        <p className="hidden text-sm print:block">
          {onPaper} sur la page de la révélation&nbsp;: {siteOrigin()}
          {paths.revelation(id)}
        </p>
      )}
    </div>
  )
}

interface ShownProps {
  revelation: OpenRevelation
  fileUrl: string
}

function Shown({ revelation, fileUrl }: ShownProps) {
  const { id, title, file_type, file_mobile_url, thumbnail_complete, duration } = revelation
  const renewUrl = useRenewUrl(id)
  const lightUrl = file_mobile_url ?? fileUrl
  const renewLight = renewUrl((fresh) => mobileOf(fresh) ?? originalOf(fresh))
  switch (file_type) {
    case 'video':
      return (
        <VideoPlayer
          title={title}
          url={fileUrl}
          mobileUrl={file_mobile_url}
          poster={thumbnail_complete}
          durationSeconds={duration}
          renew={(quality) => renewUrl(quality === 'mobile' ? mobileOf : originalOf)()}
        />
      )
    case 'image':
      return <ImageView title={title} url={lightUrl} renew={renewLight} />
    case 'audio':
      return (
        <AudioPlayer title={title} url={lightUrl} durationSeconds={duration} renew={renewLight} />
      )
    default:
      return null
  }
}

function originalOf(revelation: Revelation): string | null {
  return isOpen(revelation) ? revelation.file_url : null
}

function mobileOf(revelation: Revelation): string | null {
  return isOpen(revelation) ? revelation.file_mobile_url : null
}
