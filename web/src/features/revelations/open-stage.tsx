import type { OpenRevelation } from '#contract/revelations.ts'
import { formatDuration } from '#web/lib/durations.ts'
import { formatDay } from '#web/lib/french-dates.ts'
import { initialOf } from '#web/lib/initials.ts'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { CardImage } from './card-image.tsx'
import { FILE_WORDS } from './revelation-words.ts'
import { VideoThumbnail } from './video-thumbnail.tsx'

interface OpenStageProps {
  revelation: OpenRevelation
  /** Its film starts by itself, without a sound. */
  plays?: boolean
}

/** The top of an open card: its picture if it has one, and always the broken seal with the day it opened. */
export function OpenStage({ revelation, plays = false }: OpenStageProps) {
  const { reveal_date, time_zone, author_pseudo } = revelation
  return (
    <div>
      <Picture revelation={revelation} plays={plays} />
      <div className="flex items-center gap-3 px-4 pt-4 sm:px-5">
        <WaxSeal initial={initialOf(author_pseudo)} state="broken" className="size-12 shrink-0" />
        <p className="text-sm leading-snug">
          <span className="block font-semibold text-wax-ink">Dévoilée</span>
          <time dateTime={reveal_date} className="text-ink-soft">
            le {formatDay(reveal_date, time_zone)}
          </time>
          <Attachment revelation={revelation} />
        </p>
      </div>
    </div>
  )
}

function Picture({ revelation, plays }: OpenStageProps) {
  const { id, title, file_type, file_url, file_mobile_url, thumbnail_complete, duration } =
    revelation
  if (file_type === 'video') {
    return (
      <VideoThumbnail
        revelationId={id}
        title={title}
        kind="whole"
        thumbnail={thumbnail_complete}
        video={file_url}
        lightVideo={file_mobile_url}
        durationSeconds={duration}
        plays={plays}
      />
    )
  }
  const image = thumbnail_complete ?? file_mobile_url ?? file_url
  if (file_type !== 'image' || !image) return null
  return <CardImage revelation={revelation} thumbnail={image} />
}

/** What comes with the letter and cannot be shown as a picture. */
function Attachment({ revelation }: { revelation: OpenRevelation }) {
  const { file_type, duration } = revelation
  if (file_type !== 'audio' && file_type !== 'document') return null
  const { icon: Icon, label } = FILE_WORDS[file_type]
  return (
    <span className="flex items-center gap-1.5 text-ink-soft">
      <Icon aria-hidden="true" className="size-4" />
      {label}
      {file_type === 'audio' && duration !== null && ` · ${formatDuration(duration)}`}
    </span>
  )
}
