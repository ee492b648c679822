import { instantInWords } from '#contract/date-in-words.ts'
import type { OpenRevelation, Revelation } from '#contract/revelations.ts'
import { useCountdown, useElapsedShare } from '#web/lib/clock.ts'
import { formatDay, formatShortInstant, useBrowserTimeZone } from '#web/lib/dates.ts'
import { formatDuration, initialOf } from '#web/lib/format.ts'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { WaxSeal } from '#web/ui/wax-seal.tsx'
import { CardImage, VideoThumbnail } from './card-media.tsx'
import { FILE_LABELS } from './revelation-labels.ts'

interface OpenCardHeaderProps {
  revelation: OpenRevelation
  /** The video starts by itself, muted. */
  plays?: boolean
}

/** The top of an open card: its picture if there is one, then the broken seal and the date. */
export function OpenCardHeader({ revelation, plays = false }: OpenCardHeaderProps) {
  const { reveal_date, time_zone, author_pseudo } = revelation
  return (
    <div>
      <Picture revelation={revelation} plays={plays} />
      <div className="card-opened">
        <WaxSeal initial={initialOf(author_pseudo)} state="broken" className="size-12 shrink-0" />
        <p className="text-sm leading-snug">
          <span className="block font-semibold text-wax-ink">Dévoilée</span>
          <time dateTime={reveal_date} className="text-ink-soft">
            {`le ${formatDay(reveal_date, time_zone)}`}
          </time>
          <Attachment revelation={revelation} />
        </p>
      </div>
    </div>
  )
}

function Picture({ revelation, plays }: OpenCardHeaderProps) {
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

/** The label of an audio file or a document. */
function Attachment({ revelation }: { revelation: OpenRevelation }) {
  const { file_type, duration } = revelation
  if (file_type !== 'audio' && file_type !== 'document') return null
  const { icon: Icon, label } = FILE_LABELS[file_type]
  return (
    <span className="flex items-center gap-1.5 text-ink-soft">
      <Icon aria-hidden="true" className="size-4" />
      {label}
      {file_type === 'audio' && duration !== null && ` · ${formatDuration(duration)}`}
    </span>
  )
}

interface SealedCardHeaderProps {
  revelation: Revelation
}

/** The top of a sealed card: an envelope closed by its seal, or the teaser with the seal at its edge. */
export function SealedCardHeader({ revelation }: SealedCardHeaderProps) {
  const { reveal_date, time_zone, created_at, author_pseudo, file_type, opening } = revelation
  const elapsed = useElapsedShare(created_at, reveal_date)
  const seal = { initial: initialOf(author_pseudo), elapsed }
  if (hasTeaser(revelation) && !opening.needed) {
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
      <CountdownText
        instant={reveal_date}
        timeZone={time_zone}
        isWaiting={opening.needed}
        className="relative mt-3"
      />
      {file_type && <Badge className="mt-2">{FILE_LABELS[file_type].label} à l’intérieur</Badge>}
    </div>
  )
}

function hasTeaser(revelation: Revelation): boolean {
  return revelation.file_type === 'video' && revelation.teaser_end !== null
}

function teaserLength({ teaser_start, teaser_end }: Revelation): number | null {
  return teaser_start === null || teaser_end === null ? null : teaser_end - teaser_start
}

/** The paper around a seal. `WaxSealParts` is in the page. */
export function EnvelopeFolds() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 320 180"
      preserveAspectRatio="none"
      className="absolute inset-x-0 top-0 h-45 w-full"
    >
      <use href="#envelope-folds" />
    </svg>
  )
}

interface CountdownTextProps {
  instant: string
  timeZone: string
  /** It is over, and the letter waits for its reader. */
  isWaiting?: boolean
  className?: string
}

/** The countdown, with the date in words for screen readers. What waits after it has the same place. */
export function CountdownText({
  instant,
  timeZone,
  isWaiting = false,
  className,
}: CountdownTextProps) {
  const text = useCountdown(instant)
  const ownZone = useBrowserTimeZone()
  return (
    <p className={classNames('leading-tight', className)}>
      {isWaiting ? (
        <span className="block font-serif text-[1.65rem]">Elle vous attend</span>
      ) : (
        <>
          <span className="sr-only">{`S’ouvre le ${instantInWords(new Date(instant), timeZone)}`}</span>
          <span
            aria-hidden="true"
            aria-live="off"
            className="tabular-digits block font-bold text-[1.65rem]"
          >
            {text}
          </span>
        </>
      )}
      <time dateTime={instant} aria-hidden="true" className="block text-ink-soft text-sm">
        {formatShortInstant(instant, timeZone, ownZone ?? timeZone)}
      </time>
    </p>
  )
}
