import { Play } from 'lucide-react'
import { useState } from 'react'
import { isOpen, type OpenRevelation, type Revelation } from '#contract/revelations.ts'
import { readConnection } from '#web/features/media/connection.ts'
import { Film } from '#web/features/media/film.tsx'
import { type RenewUrl, useFreshSource, usePlayer } from '#web/features/media/use-player.ts'
import type { Quality } from '#web/features/media/video-player.tsx'
import { ZoomableImage } from '#web/features/media/zoomable-image.tsx'
import { prefersReducedMotion } from '#web/lib/device.ts'
import { formatDuration } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { useRefreshRevelation, useRenewUrl } from './revelations.queries.ts'

interface VideoThumbnailProps {
  revelationId: string
  title: string
  kind: 'teaser' | 'whole'
  thumbnail: string | null
  video: string | null
  /** The light variant, for slow networks. */
  lightVideo?: string | null
  durationSeconds: number | null
  /** Plays at once and muted, unless the person prefers less motion. */
  plays?: boolean | undefined
}

/** The thumbnail of a video; a click replaces it with the player. */
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
  const [isMuted] = useState(() => plays && !prefersReducedMotion())
  const [quality, setQuality] = useState<Quality | undefined>(isMuted ? 'original' : undefined)
  const renewUrl = useRenewUrl(revelationId)
  const name = kind === 'teaser' ? 'Aperçu' : 'Complète'
  const duration = durationSeconds === null ? '' : ` · ${formatDuration(durationSeconds)}`
  if (quality && video) {
    return (
      <CardPlayer
        name={`${name}\u202F: ${title}`}
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

interface CardImageProps {
  revelation: OpenRevelation
  thumbnail: string
}

/** The image of an open letter in its card; a click shows it full screen. */
export function CardImage({ revelation, thumbnail }: CardImageProps) {
  const { id, title, file_mobile_url, file_url } = revelation
  const renewUrl = useRenewUrl(id)
  const renew = renewUrl((fresh) =>
    isOpen(fresh) ? (fresh.file_mobile_url ?? fresh.file_url) : null,
  )
  const { source, refresh } = useFreshSource(file_mobile_url ?? file_url ?? thumbnail, renew)
  return (
    <div className="relative z-10">
      <ZoomableImage
        title={title}
        source={source}
        onError={refresh}
        className="aspect-video rounded-none"
      >
        <CardPicture revelationId={id} src={thumbnail} alt={`Image de la révélation ${title}`} />
      </ZoomableImage>
    </div>
  )
}

interface CardPictureProps {
  revelationId: string
  src: string
  alt: string
}

/** A picture whose ticket lives ten minutes: after a failure it is fetched again once, then hidden. */
function CardPicture({ revelationId, src, alt }: CardPictureProps) {
  const refresh = useRefreshRevelation()
  const [failures, setFailures] = useState(0)
  if (failures > 1) return null
  return (
    <img
      key={src}
      src={src}
      alt={alt}
      loading="lazy"
      decoding="async"
      className="size-full object-cover"
      onError={() => {
        setFailures(failures + 1)
        if (failures === 0) refresh(revelationId).catch(() => setFailures(2))
      }}
    />
  )
}

interface CardPlayerProps {
  name: string
  url: string
  renew: RenewUrl
  isMuted?: boolean
}

function CardPlayer({ name, url, renew, isMuted = false }: CardPlayerProps) {
  const player = usePlayer<HTMLVideoElement>(url, renew)
  return (
    <div className="relative z-10">
      <Film
        name={name}
        playLabel={name}
        player={player}
        poster={null}
        plays
        isMuted={isMuted}
        className="aspect-video w-full"
      />
    </div>
  )
}
