import {
  type FocusEvent,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { Sound } from '#contract/sounds.ts'
import { browserTimeZone } from '#web/lib/browser-time-zone.ts'
import { useTicking } from '#web/lib/countdown.ts'
import { serverNow } from '#web/lib/server-clock.ts'
import { rowButtonId } from './delete-sound-dialog.tsx'
import { waitOf } from './lock-words.ts'
import { PassingRow, type RowActions, SoundRow } from './sound-row.tsx'
import { useRowsInView } from './use-rows-in-view.ts'

/** As `h-28` says it. */
const ROW_REM = 7
/** So many rows before the end of what is known, more is asked. */
const NEAR_END = 50

interface SoundListProps {
  sounds: readonly Sound[]
  /** How many there will be once all are loaded. */
  count: number
  viewerId: string
  currentId: string | undefined
  isPlaying: boolean
  actions: RowActions
  onNearEnd: () => void
  onAllWanted: () => void
}

/** Only the rows around what is seen are made, and the one that has the focus; arrows walk through all of them. */
export function SoundList({ sounds, count, onNearEnd, onAllWanted, ...rest }: SoundListProps) {
  const list = useRef<HTMLUListElement>(null)
  const [height] = useState(() => ROW_REM * rootFontSize())
  const [timeZone] = useState(browserTimeZone)
  const minute = useTicking(minuteNow)
  const { seen, made } = useRowsInView({ list, count: sounds.length, height })
  const { focused, ...keys } = useWalk(sounds, onAllWanted)
  const isNearEnd = sounds.length > 0 && seen.last >= sounds.length - NEAR_END
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  }, [isNearEnd, onNearEnd])
  return (
    <ul
      ref={list}
      aria-label="Liste de lecture"
      className="relative mt-4"
      style={{ height: sounds.length * height }}
      {...keys}
    >
      {indexesOf(seen, focused, sounds.length).map((index) => {
        const sound = sounds[index]
        if (!sound) return null
        const place = { index, count, top: index * height }
        const isMade = index === focused || (index >= made.first && index <= made.last)
        if (!isMade) return <PassingRow key={sound.id} sound={sound} {...place} />
        const wait = waitOf(sound, minute)
        return (
          <SoundRow
            key={sound.id}
            sound={sound}
            {...place}
            viewerId={rest.viewerId}
            timeZone={timeZone}
            opens={wait?.words}
            dawn={wait?.share}
            isCurrent={sound.id === rest.currentId}
            isPlaying={rest.isPlaying && sound.id === rest.currentId}
            actions={rest.actions}
          />
        )
      })}
    </ul>
  )
}

/** Arrows, Home and End carry the focus from row to row; the row that has it stays, however far away. */
function useWalk(sounds: readonly Sound[], onAllWanted: () => void) {
  const [focusedId, setFocusedId] = useState<string>()
  const focused = useMemo(
    () => (focusedId ? sounds.findIndex(({ id }) => id === focusedId) : -1),
    [sounds, focusedId],
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
      const target = isOnRow && !event.defaultPrevented && rowReachedBy(event.key, focused, sounds)
      if (!target) return
      event.preventDefault()
      // From there, the same key leads to the last of all.
      if (event.key === 'End') onAllWanted()
      if (target.id === focusedId) return focusRow(target.id)
      // Its row is made first.
      wanted.current = target.id
      setFocusedId(target.id)
    },
    onFocus: ({ target }: FocusEvent) => {
      setFocusedId(sounds[Number(target.closest('li')?.dataset.index)]?.id)
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

function rowReachedBy(key: string, from: number, sounds: readonly Sound[]): Sound | undefined {
  switch (key) {
    case 'ArrowDown':
      return sounds[Math.min(from + 1, sounds.length - 1)]
    case 'ArrowUp':
      return sounds[Math.max(from - 1, 0)]
    case 'Home':
      return sounds[0]
    case 'End':
      return sounds.at(-1)
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
