import { useState } from 'react'
import { formatDuration } from '#web/lib/format.ts'
import { useHydrated } from '#web/lib/hooks.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import { readConnection, useConnection } from './connection.ts'
import { Film } from './film.tsx'
import { fileOf, type RenewUrl, usePlayer } from './use-player.ts'

export type Quality = 'original' | 'mobile'

interface VideoPlayerProps {
  title: string
  url: string
  /** The smaller file, once it is ready. */
  mobileUrl: string | null
  poster: string | null
  durationSeconds: number | null
  /** What is said in it, as WebVTT. */
  captions?: string | null | undefined
  renew: (quality: Quality) => ReturnType<RenewUrl>
}

/** The whole video, in a quality that suits the network. */
export function VideoPlayer(props: VideoPlayerProps) {
  const { title, url, mobileUrl, poster, durationSeconds, captions = null, renew } = props
  const connection = useConnection()
  const isHydrated = useHydrated()
  const [chosen, setChosen] = useState<Quality>()
  // Once: a change of the network does not restart the video.
  if (isHydrated && !chosen) setChosen(readConnection() === 'good' ? 'original' : 'mobile')
  const quality = mobileUrl && chosen === 'mobile' ? 'mobile' : 'original'
  const player = usePlayer<HTMLVideoElement>(
    quality === 'mobile' && mobileUrl ? mobileUrl : url,
    () => renew(quality),
  )
  const choose = (next: Quality) => {
    player.savePosition()
    setChosen(next)
  }
  return (
    <figure className="flex print:hidden flex-col gap-1">
      {connection === 'slow' && (
        <SlowConnection quality={quality} hasMobile={mobileUrl !== null} onChoose={choose} />
      )}
      <div className="overflow-hidden rounded-field">
        <Film
          name={`Vidéo complète\u202F: ${title}`}
          playLabel={`Lire la vidéo ${title}`}
          player={player}
          poster={poster}
          file={fileOf(url)}
          captions={captions}
          className="aspect-video max-h-[75dvh] w-full"
        >
          <Badge
            tone="leaf"
            className="pointer-events-none absolute top-3 right-3 group-[:fullscreen]:hidden"
          >
            Complète
            {durationSeconds !== null && ` · ${formatDuration(durationSeconds)}`}
          </Badge>
        </Film>
      </div>
      {mobileUrl && connection !== 'slow' && (
        <figcaption>
          <Button
            variant="ghost"
            className="-ml-4 text-ink-soft"
            onClick={() => choose(quality === 'mobile' ? 'original' : 'mobile')}
          >
            {quality === 'mobile' ? 'Passer en qualité d’origine' : 'Passer en qualité réduite'}
          </Button>
        </figcaption>
      )}
    </figure>
  )
}

interface SlowConnectionProps {
  quality: Quality
  hasMobile: boolean
  onChoose: (quality: Quality) => void
}

function SlowConnection({ quality, hasMobile, onChoose }: SlowConnectionProps) {
  if (!hasMobile) {
    return <Notice tone="warning">Connexion lente&#8239;: la lecture peut s’interrompre.</Notice>
  }
  const isReduced = quality === 'mobile'
  return (
    <Notice
      tone="warning"
      action={
        <Button variant="secondary" onClick={() => onChoose(isReduced ? 'original' : 'mobile')}>
          {isReduced ? 'Voir en qualité d’origine' : 'Voir en qualité réduite'}
        </Button>
      }
    >
      {isReduced
        ? 'Connexion lente\u202F: la vidéo est lue en qualité réduite.'
        : 'Connexion lente\u202F: la lecture peut s’interrompre en qualité d’origine.'}
    </Notice>
  )
}
