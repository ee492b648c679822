import { isOpen, type OpenRevelation } from '#contract/revelations.ts'
import { useFreshSource } from '#web/features/media/use-player.ts'
import { ZoomableImage } from '#web/features/media/zoomable-image.tsx'
import { CardPicture } from './card-picture.tsx'
import { useRenewUrl } from './use-renew-url.ts'

interface CardImageProps {
  revelation: OpenRevelation
  thumbnail: string
}

/** The image of an open letter in its card; a touch shows all of it on the whole screen. */
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
