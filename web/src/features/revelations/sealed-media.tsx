import { LockKeyhole } from 'lucide-react'
import type { FileType, Revelation } from '#contract/revelations.ts'
import { FILE_ICONS } from '#web/features/media/file-icons.ts'
import { TeaserPlayer } from '#web/features/media/teaser-player.tsx'
import { useRenewUrl } from './use-renew-url.ts'

const AFTERWARDS: Record<FileType, string> = {
  video: 'Vidéo disponible après la révélation',
  image: 'Image disponible après la révélation',
  audio: 'Message audio disponible après la révélation',
  document: 'Document disponible après la révélation',
}

/** What may be seen of the file before the instant: the teaser of a video if there is one, else a notice. */
export function SealedMedia({ revelation }: { revelation: Revelation }) {
  const { id, title, file_type, teaser_url, thumbnail_teaser, teaser_start, teaser_end } =
    revelation
  const renewUrl = useRenewUrl(id)
  if (!file_type) return null
  if (file_type !== 'video' || teaser_start === null || teaser_end === null) {
    return <Placeholder fileType={file_type} words={AFTERWARDS[file_type]} />
  }
  if (!teaser_url) return <Placeholder fileType="video" words="Création en cours..." />
  return (
    <TeaserPlayer
      title={title}
      url={teaser_url}
      poster={thumbnail_teaser}
      lengthSeconds={teaser_end - teaser_start}
      renew={renewUrl((fresh) => fresh.teaser_url)}
    />
  )
}

function Placeholder({ fileType, words }: { fileType: FileType; words: string }) {
  const Icon = FILE_ICONS[fileType]
  return (
    <p className="flex items-center justify-center gap-3 rounded-card border border-line border-dashed px-4 py-6 text-ink-soft">
      <Icon aria-hidden="true" className="size-6 shrink-0" />
      {words}
      <LockKeyhole aria-hidden="true" className="size-4 shrink-0" />
    </p>
  )
}
