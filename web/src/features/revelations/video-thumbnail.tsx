import { Play } from 'lucide-react'
import { useState } from 'react'
import { isOpen, type Revelation } from '#contract/revelations.ts'
import { readConnection } from '#web/features/media/connection.ts'
import type { Quality } from '#web/features/media/video-player.tsx'
import { formatDuration } from '#web/lib/durations.ts'
import { wantsLessMotion } from '#web/lib/motion.ts'
import { Badge } from '#web/ui/badge.tsx'
import { CardPicture } from './card-picture.tsx'
import { CardPlayer } from './card-player.tsx'
import { useRenewUrl } from './use-renew-url.ts'

interface VideoThumbnailProps {
  revelationId: string
  title: string
  /** The part that may be seen before the instant, or the whole. */
  kind: 'teaser' | 'whole'
  thumbnail: string | null
  video: string | null
  /** The smaller file, for a network that does not carry the other. */
  lightVideo?: string | null
  durationSeconds: number | null
  /** At once and without a sound, unless less motion is wished for. */
  plays?: boolean | undefined
}

/** A picture of a video that turns into its player on click. */
export function VideoThumbnail({
  revelationId,
  title,
  kind,
  thumbnail,
  video,
  lightVideo = null,
  durationSeconds,
  plays = false,
}: VideoThumbnailProps) {
  const [isMuted] = useState(() => plays && !wantsLessMotion())
  const [quality, setQuality] = useState<Quality | undefined>(isMuted ? 'original' : undefined)
  const renewUrl = useRenewUrl(revelationId)
  const name = kind === 'teaser' ? 'Aperçu' : 'Complète'
  const duration = durationSeconds === null ? '' : ` · ${formatDuration(durationSeconds)}`
  if (quality && video) {
    return (
      <CardPlayer
        name={`${name}\u00A0: ${title}`}
        isMuted={isMuted}
        url={quality === 'mobile' && lightVideo ? lightVideo : video}
        renew={renewUrl((fresh) => videoOf(fresh, kind, quality))}
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
          onClick={() =>
            setQuality(lightVideo && readConnection() !== 'good' ? 'mobile' : 'original')
          }
          className="-translate-1/2 absolute top-1/2 left-1/2 z-10 inline-flex size-16 items-center justify-center rounded-full bg-wax text-on-wax shadow-soft transition-transform hover:scale-105 hover:bg-wax-hover"
        >
          <Play aria-hidden="true" className="ml-1 size-7 fill-current" />
        </button>
      )}
    </div>
  )
}

function videoOf(
  revelation: Revelation,
  kind: VideoThumbnailProps['kind'],
  quality: Quality,
): string | null {
  if (kind === 'teaser') return revelation.teaser_url
  if (!isOpen(revelation)) return null
  return quality === 'mobile' ? revelation.file_mobile_url : revelation.file_url
}
