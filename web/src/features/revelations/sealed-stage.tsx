import type { Revelation } from '#contract/revelations.ts'
import { useElapsedShare } from '#web/lib/countdown.ts'
import { initialOf } from '#web/lib/initials.ts'
import { Badge } from '#web/ui/badge.tsx'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { CountdownText } from './countdown-text.tsx'
import { FILE_WORDS } from './revelation-words.ts'
import { VideoThumbnail } from './video-thumbnail.tsx'

interface SealedStageProps {
  revelation: Revelation
}

/** The top of a sealed card: an envelope closed by its seal, or the teaser with the seal at its edge. */
export function SealedStage({ revelation }: SealedStageProps) {
  const { reveal_date, time_zone, created_at, author_pseudo, file_type } = revelation
  const elapsed = useElapsedShare(created_at, reveal_date)
  const seal = { initial: initialOf(author_pseudo), elapsed }
  if (hasTeaser(revelation)) {
    return (
      <div>
        <VideoThumbnail
          title={revelation.title}
          kind="teaser"
          thumbnail={revelation.thumbnail_teaser}
          video={revelation.teaser_url}
          durationSeconds={teaserLength(revelation)}
          revelationId={revelation.id}
        />
        <div className="-mt-7 relative flex items-end gap-3 px-4 sm:px-5">
          <WaxSeal {...seal} className="size-18 shrink-0" />
          <CountdownText instant={reveal_date} timeZone={time_zone} />
        </div>
      </div>
    )
  }
  return (
    <div className="relative flex flex-col items-center pb-1 text-center">
      <EnvelopeFolds />
      <WaxSeal {...seal} className="relative mt-15 size-24" />
      <CountdownText instant={reveal_date} timeZone={time_zone} className="relative mt-3" />
      {file_type && <Badge className="mt-2">{FILE_WORDS[file_type].label} à l’intérieur</Badge>}
    </div>
  )
}

function hasTeaser(revelation: Revelation): boolean {
  return revelation.file_type === 'video' && revelation.teaser_end !== null
}

function teaserLength({ teaser_start, teaser_end }: Revelation): number | null {
  return teaser_start === null || teaser_end === null ? null : teaser_end - teaser_start
}

/** The folds of the back of an envelope; they meet under the seal. */
export function EnvelopeFolds() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 320 180"
      preserveAspectRatio="none"
      className="absolute inset-x-0 top-0 h-45 w-full"
    >
      <path d="M0 0H320L176 104Q160 115 144 104Z" fill="#27307044" />
      <path
        d="M0 0L144 104Q160 115 176 104L320 0"
        fill="none"
        stroke="#5662b055"
        strokeWidth="1.2"
        vectorEffect="non-scaling-stroke"
      />
      <path
        d="M0 180L122 88M320 180L198 88"
        fill="none"
        stroke="#5662b033"
        strokeWidth="1.2"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}
