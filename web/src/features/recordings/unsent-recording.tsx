import { Play, Send, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { personTimeZone } from '#web/features/revelations/reveal-moment.ts'
import { formatDuration } from '#web/lib/durations.ts'
import { formatShortInstant } from '#web/lib/french-dates.ts'
import { formatBytes } from '#web/lib/sizes.ts'
import { Button } from '#web/ui/button.tsx'
import { IconButton } from '#web/ui/icon-button.tsx'
import { Notice } from '#web/ui/notice.tsx'
import type { KeptRecording, Take } from './kept-recording.ts'
import { readTake } from './open-take.ts'
import { TakePlayer } from './take-player.tsx'

interface UnsentRecordingProps {
  ownerId: string
  recording: KeptRecording
  onResume: () => void
  onDelete: () => void
}

export function UnsentRecording({ ownerId, recording, onResume, onDelete }: UnsentRecordingProps) {
  const [take, setTake] = useState<Take>()
  const [isUnreadable, setUnreadable] = useState(false)
  const title = recording.draft.title.trim() || 'Sans titre'
  const listen = () =>
    readTake(ownerId, recording)
      .then(setTake)
      .catch(() => setUnreadable(true))
  return (
    <li className="flex flex-col gap-3 py-3 first:pt-0 last:pb-0">
      <p className="min-w-0">
        <span className="block break-words font-semibold">{title}</span>
        <span className="text-ink-soft text-sm tabular-nums">{factsOf(recording)}</span>
      </p>
      {take && <TakePlayer take={take} title={title} />}
      {isUnreadable && (
        <Notice tone="error">Cet enregistrement ne peut plus être lu sur cet appareil.</Notice>
      )}
      <div className="flex flex-wrap gap-2">
        <Button onClick={onResume} icon={<Send aria-hidden="true" className="size-4.5" />}>
          Reprendre l’envoi
        </Button>
        {!take && (
          <Button
            variant="secondary"
            onClick={listen}
            icon={<Play aria-hidden="true" className="size-4.5" />}
          >
            Écouter
          </Button>
        )}
        <IconButton
          label={`Supprimer ${title}`}
          icon={<Trash2 aria-hidden="true" className="size-5" />}
          onClick={onDelete}
        />
      </div>
    </li>
  )
}

function factsOf({ origin, durationMs, sizeBytes, startedAtMs }: KeptRecording): string {
  const length = origin === 'recorded' ? formatDuration(durationMs / 1000) : formatBytes(sizeBytes)
  return `${length} · ${formatShortInstant(new Date(startedAtMs), personTimeZone())}`
}
