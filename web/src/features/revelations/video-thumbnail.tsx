import { Play } from 'lucide-react'
import { useState } from 'react'
import { formatDuration } from '#web/lib/durations.ts'
import { Badge } from '#web/ui/badge.tsx'
import { CardPicture } from './card-picture.tsx'

interface VideoThumbnailProps {
  revelationId: string
  title: string
  /** The part that may be seen before the instant, or the whole. */
  kind: 'teaser' | 'whole'
  thumbnail: string | null
  video: string | null
  durationSeconds: number | null
}

/** A picture of a video that turns into its player on click. */
export function VideoThumbnail({
  revelationId,
  title,
  kind,
  thumbnail,
  video,
  durationSeconds,
}: VideoThumbnailProps) {
  const [isPlaying, setPlaying] = useState(false)
  const name = kind === 'teaser' ? 'Aperçu' : 'Complète'
  const duration = durationSeconds === null ? '' : ` · ${formatDuration(durationSeconds)}`
  if (isPlaying && video) {
    return (
      // biome-ignore lint/a11y/useMediaCaption: people's own videos come without captions
      <video
        src={video}
        controls
        autoPlay
        playsInline
        aria-label={`${name} : ${title}`}
        className="relative z-10 aspect-video w-full bg-black"
      />
    )
  }
  return (
    <div className="relative aspect-video w-full overflow-hidden bg-sunken">
      {thumbnail ? (
        <CardPicture revelationId={revelationId} src={thumbnail} alt="" />
      ) : (
        <p className="flex size-full items-center justify-center text-ink-soft">
          Création en cours...
        </p>
      )}
      <Badge tone={kind === 'teaser' ? 'ember' : 'leaf'} className="absolute top-3 right-3">
        {name}
        {duration}
      </Badge>
      {video && (
        <button
          type="button"
          aria-label={kind === 'teaser' ? `Lire l’aperçu de ${title}` : `Lire la vidéo ${title}`}
          onClick={() => setPlaying(true)}
          className="-translate-1/2 absolute top-1/2 left-1/2 z-10 inline-flex size-16 items-center justify-center rounded-full bg-wax text-on-wax shadow-soft transition-transform hover:scale-105 hover:bg-wax-hover"
        >
          <Play aria-hidden="true" className="ml-1 size-7 fill-current" />
        </button>
      )}
    </div>
  )
}
