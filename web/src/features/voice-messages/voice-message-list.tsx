import {
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { serverNow, useTicking } from '#web/lib/clock.ts'
import { browserTimeZone } from '#web/lib/dates.ts'
import type { RowActions } from './row-actions.tsx'
import { useRowsInView } from './use-rows-in-view.ts'
import { rowButtonId, type VoiceMessage, waitOf } from './voice-message.ts'
import { RowPlaceholder, VoiceMessageRow } from './voice-message-row.tsx'

/** The height of a row, `h-28`. */
const ROW_REM = 7
/** The next page loads this many rows before the end. */
const PRELOADED_ROWS = 50

interface VoiceMessageListProps {
  voiceMessages: readonly VoiceMessage[]
  /** The number of voice messages, loaded or not. */
  count: number
  viewerId: string
  currentId: string | undefined
  isPlaying: boolean
  actions: RowActions
  onNearEnd: () => void
  onAllNeeded: () => void
}

/** Renders only the rows in view and the one with the focus; the arrow keys reach all of them. */
export function VoiceMessageList({
  voiceMessages,
  count,
  onNearEnd,
  onAllNeeded,
  ...rest
}: VoiceMessageListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [height] = useState(() => ROW_REM * rootFontSize())
  const [timeZone] = useState(browserTimeZone)
  const minute = useTicking(minuteNow)
  const { visible, rendered } = useRowsInView({ list, count: voiceMessages.length, height })
  const { focused, ...keys } = useRowFocus(voiceMessages, onAllNeeded)
  const isNearEnd =
    voiceMessages.length > 0 && visible.last >= voiceMessages.length - PRELOADED_ROWS
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  }, [isNearEnd, onNearEnd])
  return (
    <ul
      ref={list}
      aria-label="Liste de lecture"
      className="relative mt-4"
      style={{ height: voiceMessages.length * height }}
      {...keys}
    >
      {indexesOf(visible, focused, voiceMessages.length).map((index) => {
        const voiceMessage = voiceMessages[index]
        if (!voiceMessage) return null
        const place = { index, count, top: index * height }
        const isRendered = index === focused || (index >= rendered.first && index <= rendered.last)
        if (!isRendered)
          return <RowPlaceholder key={voiceMessage.id} voiceMessage={voiceMessage} {...place} />
        const wait = waitOf(voiceMessage, minute)
        return (
          <VoiceMessageRow
            key={voiceMessage.id}
            voiceMessage={voiceMessage}
            {...place}
            viewerId={rest.viewerId}
            timeZone={timeZone}
            opens={wait?.label}
            elapsedShare={wait?.elapsedShare}
            isCurrent={voiceMessage.id === rest.currentId}
            isPlaying={rest.isPlaying && voiceMessage.id === rest.currentId}
            actions={rest.actions}
          />
        )
      })}
    </ul>
  )
}

/** Arrows, Home and End move the focus from row to row; the row with the focus stays rendered. */
function useRowFocus(voiceMessages: readonly VoiceMessage[], onAllNeeded: () => void) {
  const [focusedId, setFocusedId] = useState<string>()
  const focused = useMemo(
    () => (focusedId ? voiceMessages.findIndex(({ id }) => id === focusedId) : -1),
    [voiceMessages, focusedId],
  )
  const wanted = useRef<string>(undefined)
  useLayoutEffect(() => {
    if (!focusedId || wanted.current !== focusedId) return
    wanted.current = undefined
    focusRow(focusedId)
  }, [focusedId])
  return {
    focused,
    onKeyDown: (event: KeyboardEvent) => {
      const isOnRow = event.target instanceof Element && event.target.closest('[data-row]') !== null
      const target =
        isOnRow && !event.defaultPrevented && rowReachedBy(event.key, focused, voiceMessages)
      if (!target) return
      event.preventDefault()
      // With all rows loaded, the same key leads to the very last.
      if (event.key === 'End') onAllNeeded()
      if (target.id === focusedId) return focusRow(target.id)
      // The row has to be rendered first.
      wanted.current = target.id
      setFocusedId(target.id)
    },
    onFocus: ({ target }: FocusEvent) => {
      setFocusedId(voiceMessages[Number(target.closest('li')?.dataset.index)]?.id)
    },
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => {
      if (!currentTarget.contains(relatedTarget)) setFocusedId(undefined)
    },
  }
}

function focusRow(id: string): void {
  const button = document.getElementById(rowButtonId(id))
  button?.focus({ preventScroll: true })
  button?.closest('li')?.scrollIntoView({ block: 'nearest' })
}

function rowReachedBy(
  key: string,
  from: number,
  voiceMessages: readonly VoiceMessage[],
): VoiceMessage | undefined {
  switch (key) {
    case 'ArrowDown':
      return voiceMessages[Math.min(from + 1, voiceMessages.length - 1)]
    case 'ArrowUp':
      return voiceMessages[Math.max(from - 1, 0)]
    case 'Home':
      return voiceMessages[0]
    case 'End':
      return voiceMessages.at(-1)
    default:
      return undefined
  }
}

function indexesOf(
  { first, last }: { first: number; last: number },
  focused: number,
  count: number,
): number[] {
  const indexes = Array.from({ length: last - first + 1 }, (_, place) => first + place)
  if (focused < 0 || focused >= count || (focused >= first && focused <= last)) return indexes
  return focused < first ? [focused, ...indexes] : [...indexes, focused]
}

const MINUTE_MS = 60_000

function minuteNow(): number {
  return Math.floor(serverNow() / MINUTE_MS) * MINUTE_MS
}

function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
}
