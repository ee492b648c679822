import { Headphones } from 'lucide-react'
import { memo, useState } from 'react'
import type { Sound } from '#contract/sounds.ts'
import { formatCount } from '#web/lib/counts.ts'
import { formatDuration, formatLength } from '#web/lib/durations.ts'
import { formatNarrowDay } from '#web/lib/french-dates.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { rowButtonId } from './delete-sound-dialog.tsx'
import { FavoriteButton } from './favorite-button.tsx'
import type { LockedSound } from './locked-dialog.tsx'
import { isPlayable } from './play-order.ts'
import { SoundMenu } from './sound-menu.tsx'
import { audienceWords, CATEGORY_LABELS } from './sound-words.ts'

/** The same object at each render: a row renders again only when its own sound changes. */
export interface RowActions {
  toggle: (id: string) => void
  turnFavorite: (sound: Sound) => void
  download: (sound: Sound) => void
  explainLock: (sound: LockedSound) => void
  askDelete: (sound: Sound) => void
}

interface RowPlace {
  sound: Sound
  index: number
  /** Where it is in its list, in pixels. */
  top: number
  /** How many rows there are in all. */
  count: number
}

interface SoundRowProps extends RowPlace {
  viewerId: string
  timeZone: string
  /** When a locked one opens, in words. */
  opens: string | undefined
  /** The nearer its instant, from 0 to 1, the more light on its horizon. */
  dawn: number | undefined
  isCurrent: boolean
  isPlaying: boolean
  actions: RowActions
}

/** What is seen of a row that goes by too fast to be read. */
export const PassingRow = memo(function PassingRow({ sound, index, top, count }: RowPlace) {
  return (
    <li
      aria-setsize={count}
      aria-posinset={index + 1}
      className="absolute inset-x-0 h-28 pb-2 contain-strict"
      style={{ top }}
    >
      <p
        className={classNames(
          'h-full truncate rounded-card border border-line py-6 pr-14 pl-19 font-semibold text-ink leading-snug',
          sound.is_revealed ? 'bg-surface' : 'sky-night bg-[#1b2250]',
        )}
      >
        {sound.title}
      </p>
    </li>
  )
})

/** Rows are made while the list is scrolled: nothing in them listens to anything, and none has a layer or a clip it can do without. */
export const SoundRow = memo(function SoundRow(props: SoundRowProps) {
  const { sound, index, top, count, dawn, actions } = props
  const isLocked = !sound.is_revealed
  const [wasLocked] = useState(isLocked)
  return (
    <li
      data-index={index}
      aria-setsize={count}
      aria-posinset={index + 1}
      className="absolute inset-x-0 h-28 scroll-mb-36 pb-2 contain-strict"
      style={{ top }}
    >
      <article
        data-row=""
        aria-current={props.isCurrent || undefined}
        className={classNames(
          'relative flex h-full items-center gap-3 rounded-card border pr-1 pl-3 text-ink',
          isLocked ? 'sky-night night-row border-line' : 'bg-surface hover:bg-sunken',
          !isLocked && (props.isCurrent ? 'border-wax-ink' : 'border-line'),
        )}
        style={isLocked ? ({ '--dawn': dawn } as React.CSSProperties) : undefined}
      >
        <RowButton {...props} />
        <RowWords {...props} />
        <div className="flex shrink-0 flex-col items-center justify-center sm:flex-row">
          {!isLocked && <FavoriteButton sound={sound} onTurn={actions.turnFavorite} />}
          <SoundMenu sound={sound} onDownload={actions.download} onDelete={actions.askDelete} />
        </div>
        {wasLocked && !isLocked && (
          <div
            aria-hidden="true"
            className="dawn sky-paper pointer-events-none absolute inset-0 z-20 overflow-hidden rounded-card"
          >
            <div className="dawn-sky" />
          </div>
        )}
      </article>
    </li>
  )
})

function RowWords({ sound, viewerId, timeZone, opens }: SoundRowProps) {
  return (
    <div className="min-w-0 flex-1">
      <p className="truncate font-semibold leading-snug">{sound.title}</p>
      <p className="truncate text-ink-soft text-sm">
        {`@${sound.author_pseudo} · ${CATEGORY_LABELS[sound.category]} · ${formatNarrowDay(sound.created_at, timeZone)}`}
      </p>
      <div className="mt-1 flex items-center gap-2.5 overflow-hidden whitespace-nowrap text-ink-soft text-sm">
        <Badge
          tone={sound.recipient_id === viewerId && sound.is_revealed ? 'ember' : 'plain'}
          className="py-1!"
        >
          {audienceWords(sound, viewerId)}
        </Badge>
        {sound.is_revealed ? (
          <OpenFacts sound={sound} />
        ) : (
          <span className="truncate font-semibold text-ember-ink">{opens}</span>
        )}
        {sound.processing_status === 'processing' && <span>en préparation</span>}
        {sound.processing_status === 'failed' && (
          <span className="text-wax-ink">fichier illisible</span>
        )}
      </div>
    </div>
  )
}

/** The face of whoever speaks; the whole row is its button. */
function RowButton({ sound, isCurrent, isPlaying, actions }: SoundRowProps) {
  const { id, title, author_pseudo, author_avatar, reveal_date } = sound
  const sounds = isCurrent && isPlaying
  const isLocked = !sound.is_revealed
  return (
    <button
      type="button"
      id={rowButtonId(id)}
      aria-label={labelOf(sound, sounds)}
      disabled={!isLocked && !isPlayable(sound)}
      title={isLocked ? undefined : title}
      onClick={() => {
        if (isLocked && reveal_date) actions.explainLock({ ...sound, reveal_date })
        else actions.toggle(id)
      }}
      className="shrink-0 rounded-full outline-none after:absolute after:inset-0 after:rounded-card focus-visible:after:outline-3 focus-visible:after:outline-focus focus-visible:after:-outline-offset-3"
    >
      <span className="relative block">
        <Avatar name={author_pseudo} src={author_avatar} className="size-12! text-xl" />
        <span
          className={classNames(
            'absolute -right-1 -bottom-1 inline-flex size-6 items-center justify-center rounded-full border-2',
            isLocked
              ? 'border-[#1b2250] bg-ember text-on-ember'
              : 'border-surface bg-wax text-on-wax',
          )}
        >
          {isLocked ? (
            <Padlock />
          ) : sounds ? (
            <Sounding />
          ) : (
            <span
              aria-hidden="true"
              className="ml-0.5 border-y-5 border-y-transparent border-l-8 border-l-current"
            />
          )}
        </span>
      </span>
      <span className="sr-only"> de @{author_pseudo}</span>
    </button>
  )
}

function labelOf({ title, author_pseudo, is_revealed }: Sound, sounds: boolean): string {
  if (!is_revealed) return `${title}, de @${author_pseudo}, verrouillé`
  return `${sounds ? 'Mettre en pause' : 'Écouter'} ${title}, de @${author_pseudo}`
}

/** Drawn with two boxes: a vector image costs a scrolled list as much as all the words of its row. */
function Padlock() {
  return (
    <span aria-hidden="true" className="flex flex-col items-center">
      <span className="h-1.5 w-2 rounded-t-full border-[1.5px] border-current border-b-0" />
      <span className="h-1.75 w-3 rounded-[2px] bg-current" />
    </span>
  )
}

function Sounding() {
  return (
    <span aria-hidden="true" className="flex h-3 items-end gap-px">
      <span className="sounding h-3 w-0.5 bg-current" />
      <span className="sounding h-3 w-0.5 bg-current" />
      <span className="sounding h-3 w-0.5 bg-current" />
    </span>
  )
}

function OpenFacts({ sound: { duration, play_count } }: { sound: Sound }) {
  return (
    <>
      {duration !== undefined && (
        <span className="digits">
          <span aria-hidden="true">{formatDuration(duration)}</span>
          <span className="sr-only">{formatLength(duration)}</span>
        </span>
      )}
      <span className="digits inline-flex items-center gap-1">
        <Headphones aria-hidden="true" className="size-4 sm:hidden" />
        {formatCount(play_count)}
        <span className="max-sm:sr-only"> {play_count > 1 ? 'écoutes' : 'écoute'}</span>
      </span>
    </>
  )
}
