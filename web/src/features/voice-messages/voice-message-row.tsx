import { Headphones } from 'lucide-react'
import { memo, useState } from 'react'
import { lengthInWords } from '#contract/date-in-words.ts'
import { formatNarrowDay } from '#web/lib/dates.ts'
import { formatCount, formatDuration } from '#web/lib/format.ts'
import { Avatar } from '#web/ui/avatar.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { FavoriteButton, type RowActions, VoiceMessageMenu } from './row-actions.tsx'
import {
  audienceLabel,
  CATEGORY_LABELS,
  isPlayable,
  rowButtonId,
  type VoiceMessage,
} from './voice-message.ts'

interface RowPlace {
  voiceMessage: VoiceMessage
  index: number
  /** Its place in the list, in pixels. */
  top: number
  /** The number of rows, loaded or not. */
  count: number
}

interface VoiceMessageRowProps extends RowPlace {
  viewerId: string
  timeZone: string
  /** When a locked voice message is revealed. */
  opens: string | undefined
  /** The part of the wait that is over, from 0 to 1: the light on the horizon of a locked row. */
  elapsedShare: number | undefined
  isCurrent: boolean
  isPlaying: boolean
  actions: RowActions
}

/** Stands for a row that scrolls by too fast to be read. */
export const RowPlaceholder = memo(function RowPlaceholder({
  voiceMessage,
  index,
  top,
  count,
}: RowPlace) {
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
          voiceMessage.is_revealed ? 'bg-surface' : 'theme-night bg-[#1b2250]',
        )}
      >
        {voiceMessage.title}
      </p>
    </li>
  )
})

/** Rows are created while the list scrolls: they subscribe to nothing, and have no layer or clip that is not needed. */
export const VoiceMessageRow = memo(function VoiceMessageRow(props: VoiceMessageRowProps) {
  const { voiceMessage, index, top, count, elapsedShare, actions } = props
  const isLocked = !voiceMessage.is_revealed
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
          isLocked ? 'theme-night bg-night-row border-line' : 'bg-surface hover:bg-sunken',
          !isLocked && (props.isCurrent ? 'border-wax-ink' : 'border-line'),
        )}
        style={isLocked ? ({ '--dawn': elapsedShare } as React.CSSProperties) : undefined}
      >
        <RowButton {...props} />
        <RowText {...props} />
        <div className="flex shrink-0 flex-col items-center justify-center sm:flex-row">
          {!isLocked && (
            <FavoriteButton voiceMessage={voiceMessage} onToggle={actions.toggleFavorite} />
          )}
          <VoiceMessageMenu
            voiceMessage={voiceMessage}
            onDownload={actions.download}
            onDelete={actions.confirmDelete}
          />
        </div>
        {wasLocked && !isLocked && (
          <div
            aria-hidden="true"
            className="reveal-animation theme-paper pointer-events-none absolute inset-0 z-20 overflow-hidden rounded-card"
          >
            <div className="reveal-sky" />
          </div>
        )}
      </article>
    </li>
  )
})

function RowText({ voiceMessage, viewerId, timeZone, opens }: VoiceMessageRowProps) {
  return (
    <div className="min-w-0 flex-1">
      <p className="truncate font-semibold leading-snug">{voiceMessage.title}</p>
      <p className="truncate text-ink-soft text-sm">
        {`@${voiceMessage.author_pseudo} · ${CATEGORY_LABELS[voiceMessage.category]} · ${formatNarrowDay(voiceMessage.created_at, timeZone)}`}
      </p>
      <div className="mt-1 flex items-center gap-2.5 overflow-hidden whitespace-nowrap text-ink-soft text-sm">
        <Badge
          tone={
            voiceMessage.recipient_id === viewerId && voiceMessage.is_revealed ? 'ember' : 'plain'
          }
          className="py-1!"
        >
          {audienceLabel(voiceMessage, viewerId)}
        </Badge>
        {voiceMessage.is_revealed ? (
          <PlayFacts voiceMessage={voiceMessage} />
        ) : (
          <span className="truncate font-semibold text-ember-ink">{opens}</span>
        )}
        {voiceMessage.processing_status === 'processing' && <span>en préparation</span>}
        {voiceMessage.processing_status === 'failed' && (
          <span className="text-wax-ink">fichier illisible</span>
        )}
      </div>
    </div>
  )
}

/** The avatar of the author; its button covers the whole row. */
function RowButton({ voiceMessage, isCurrent, isPlaying, actions }: VoiceMessageRowProps) {
  const { id, title, author_pseudo, author_avatar, reveal_date } = voiceMessage
  const isSounding = isCurrent && isPlaying
  const isLocked = !voiceMessage.is_revealed
  return (
    <button
      type="button"
      id={rowButtonId(id)}
      aria-label={labelOf(voiceMessage, isSounding)}
      disabled={!isLocked && !isPlayable(voiceMessage)}
      title={isLocked ? undefined : title}
      onClick={() => {
        if (isLocked && reveal_date) actions.explainLock({ ...voiceMessage, reveal_date })
        else actions.toggle(id)
      }}
      className="shrink-0 rounded-full covers-card"
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
          ) : isSounding ? (
            <PlayingBars />
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

function labelOf({ title, author_pseudo, is_revealed }: VoiceMessage, isSounding: boolean): string {
  if (!is_revealed) return `${title}, de @${author_pseudo}, scellé`
  return `${isSounding ? 'Mettre en pause' : 'Écouter'} ${title}, de @${author_pseudo}`
}

/** Two boxes: to a scrolling list, a vector image costs as much as all the text of its row. */
function Padlock() {
  return (
    <span aria-hidden="true" className="flex flex-col items-center">
      <span className="h-1.5 w-2 rounded-t-full border-[1.5px] border-current border-b-0" />
      <span className="h-1.75 w-3 rounded-[2px] bg-current" />
    </span>
  )
}

function PlayingBars() {
  return (
    <span aria-hidden="true" className="flex h-3 items-end gap-px">
      <span className="sounding h-3 w-0.5 bg-current" />
      <span className="sounding h-3 w-0.5 bg-current" />
      <span className="sounding h-3 w-0.5 bg-current" />
    </span>
  )
}

function PlayFacts({ voiceMessage: { duration, play_count } }: { voiceMessage: VoiceMessage }) {
  return (
    <>
      {duration !== undefined && (
        <span className="tabular-digits">
          <span aria-hidden="true">{formatDuration(duration)}</span>
          <span className="sr-only">{lengthInWords(duration)}</span>
        </span>
      )}
      <span className="tabular-digits inline-flex items-center gap-1">
        <Headphones aria-hidden="true" className="size-4 sm:hidden" />
        {formatCount(play_count)}
        <span className="max-sm:sr-only"> {play_count > 1 ? 'écoutes' : 'écoute'}</span>
      </span>
    </>
  )
}
