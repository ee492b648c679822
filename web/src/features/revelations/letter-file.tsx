import { LockKeyhole } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import {
  type FileType,
  isOpen,
  type OpenRevelation,
  type Revelation,
} from '#contract/revelations.ts'
import type { AlbumParts, FilePlayerProps } from '#web/features/media/album-items.ts'
import { DocumentView } from '#web/features/media/document-view.tsx'
import { DownloadButton, downloadFile } from '#web/features/media/download-button.tsx'
import { FILE_ICONS } from '#web/features/media/file-icons.ts'
import { ImageView } from '#web/features/media/image-view.tsx'
import { SoundPlayer } from '#web/features/media/sound-player.tsx'
import { TeaserPlayer } from '#web/features/media/teaser-player.tsx'
import type { RenewUrl } from '#web/features/media/use-player.ts'
import { VideoPlayer } from '#web/features/media/video-player.tsx'
import { hasAlbum, loadAlbum, loadedAlbum } from './album-code.ts'
import { useRenewUrl } from './revelations.queries.ts'

const LaterAlbum = lazy(async () => ({ default: (await loadAlbum()).LetterAlbum }))

interface LetterFileProps {
  revelation: OpenRevelation
  /** Which opening of the letter its reader sees, if any. */
  opening?: number | undefined
}

/** The file of an open letter, in its player or as its image, and to download; several are an album. */
export function LetterFile({ revelation, opening }: LetterFileProps) {
  const { id, file_type, file_url, file_mobile_url, file_name, file_size, files } = revelation
  const renewUrl = useRenewUrl(id)
  // Another one later would begin anew. Within a boundary it would be taken over after the rest of the page.
  const [Album] = useState(loadedAlbum)
  if (files && hasAlbum(revelation)) {
    const album = { revelation, files, opening, parts: ALBUM_PARTS }
    if (Album) return <Album {...album} />
    return (
      <Suspense fallback={<div className="min-h-96" />}>
        <LaterAlbum {...album} />
      </Suspense>
    )
  }
  if (!file_type) return null
  // Of a picture the light one may be there before the copy that readers get.
  const shownUrl = file_url ?? file_mobile_url
  if (!shownUrl) return file_type === 'image' && <Preparing />
  return (
    <div className="flex flex-col gap-3 print:hidden">
      <Shown revelation={revelation} fileUrl={shownUrl} />
      {file_url && (
        <FileRow
          {...{
            type: file_type,
            name: file_name ?? 'fichier',
            caption: files?.[0]?.caption ?? null,
          }}
          {...{ url: file_url, sizeBytes: file_size, renew: renewUrl(originalOf) }}
        />
      )}
    </div>
  )
}

/** In the place of a picture whose readers’ copy is made. */
function Preparing() {
  return (
    <p className="flex aspect-4/3 items-center justify-center rounded-field bg-sunken text-ink-soft print:hidden">
      La photo se prépare…
    </p>
  )
}

interface FileRowProps {
  type: FileType
  name: string
  caption: string | null
  url: string
  sizeBytes: number | null
  renew: RenewUrl
}

function FileRow({ type, name, caption, url, sizeBytes, renew }: FileRowProps) {
  const Icon = FILE_ICONS[type]
  return (
    <div className="flex flex-wrap items-center justify-between gap-3">
      <div className="min-w-0 grow basis-56">
        {caption !== null && <p className="[overflow-wrap:anywhere]">{caption}</p>}
        <p className="flex min-w-0 items-center gap-2 text-ink-soft text-sm">
          <Icon aria-hidden="true" className="size-4 shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">{name}</span>
        </p>
      </div>
      <DownloadButton
        label="Télécharger"
        url={url}
        fileName={name}
        sizeBytes={sizeBytes}
        renew={renew}
      />
    </div>
  )
}

interface ShownProps {
  revelation: OpenRevelation
  fileUrl: string
}

function Shown({ revelation, fileUrl }: ShownProps) {
  const { id, title, file_type, file_size, file_mobile_url, thumbnail_complete } = revelation
  const { file_words = null, duration } = revelation
  const renewUrl = useRenewUrl(id)
  if (!file_type) return null
  return (
    <FilePlayer
      title={title}
      file={{
        type: file_type,
        url: fileUrl,
        mobile_url: file_mobile_url,
        size: file_size,
        thumbnail: thumbnail_complete,
        duration,
        words: file_words,
        renew: renewUrl(originalOf),
        renewLight: renewUrl((fresh) => mobileOf(fresh) ?? originalOf(fresh)),
      }}
    />
  )
}

/** What plays or shows a file, whichever it is. */
function FilePlayer({ title, file }: FilePlayerProps) {
  const { type, url, mobile_url, size, duration, thumbnail, words, renew, renewLight } = file
  const lightUrl = mobile_url ?? url
  switch (type) {
    case 'video':
      return (
        <VideoPlayer
          title={title}
          url={url}
          mobileUrl={mobile_url}
          poster={thumbnail}
          durationSeconds={duration}
          captions={words}
          renew={(quality) => (quality === 'mobile' ? renewLight : renew)()}
        />
      )
    case 'image':
      return <ImageView title={title} url={lightUrl} renew={renewLight} />
    case 'audio':
      return (
        <>
          <SoundPlayer
            title={title}
            url={lightUrl}
            file={url}
            durationSeconds={duration}
            renew={renewLight}
          />
          {words && (
            <p className="whitespace-pre-wrap text-ink-soft [overflow-wrap:anywhere]">
              <span className="sr-only">Ce que dit l’enregistrement&#8239;: </span>
              {words}
            </p>
          )}
        </>
      )
    case 'document':
      return (
        <DocumentView
          title={title}
          url={url}
          sizeBytes={size}
          firstPage={thumbnail}
          renew={renew}
        />
      )
    default:
      return null
  }
}

/** Handed to the album: parts of a page that code of its own would ask for would be split from it, and weigh more. */
const ALBUM_PARTS: AlbumParts = { FilePlayer, DownloadButton, downloadFile, icons: FILE_ICONS }

function originalOf(revelation: Revelation): string | null {
  return isOpen(revelation) ? revelation.file_url : null
}

function mobileOf(revelation: Revelation): string | null {
  return isOpen(revelation) ? revelation.file_mobile_url : null
}

const AFTERWARDS: Record<FileType, string> = {
  video: 'Vidéo disponible après la révélation',
  image: 'Image disponible après la révélation',
  audio: 'Enregistrement disponible après la révélation',
  document: 'Document disponible après la révélation',
}

/** The file before the reveal: the teaser of a video if there is one, else a notice. */
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
