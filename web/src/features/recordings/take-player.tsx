import { AudioPlayer } from '#web/features/media/audio-player.tsx'
import { useObjectUrl } from '#web/features/media/use-object-url.ts'
import { Notice } from '#web/ui/notice.tsx'
import type { Take } from './kept-recording.ts'

interface TakePlayerProps {
  take: Take
  title: string
}

/** A take played from this device, with the length that was measured: browsers write none in what they record. */
export function TakePlayer({ take: { file, recording }, title }: TakePlayerProps) {
  const url = useObjectUrl(file)
  if (!url) return <div className="h-20" />
  return (
    <AudioPlayer
      title={title.trim() || 'le message'}
      url={url}
      durationSeconds={recording.durationMs > 0 ? recording.durationMs / 1000 : null}
      renew={async () => null}
      failure={<Notice tone="warning">{UNPLAYABLE}</Notice>}
    />
  )
}

const UNPLAYABLE =
  'Votre navigateur ne sait pas lire ce fichier. Vérifiez que c’est bien un enregistrement avant de l’envoyer.'
