import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Sound } from '#contract/sounds.ts'
import { browserTimeZone } from '#web/lib/browser-time-zone.ts'
import { rowButtonId } from './delete-sound-dialog.tsx'
import { type RowActions, SoundRow } from './sound-row.tsx'

const ROW_REM = 7
const OVERSCAN = 6
/** So many rows before the end of what is known, more is asked. */
const NEAR_END = 30

interface SoundListProps {
  sounds: readonly Sound[]
  /** How many there will be once all are loaded. */
  count: number
  viewerId: string
  currentId: string | undefined
  isPlaying: boolean
  actions: RowActions
  onNearEnd: () => void
}

/** Only the rows around what is seen are made, and the one that has the focus; arrows walk through all of them. */
export function SoundList({ sounds, count, onNearEnd, ...rest }: SoundListProps) {
  const list = useRef<HTMLUListElement>(null)
  const margin = useTop(list)
  const [rowHeight] = useState(() => ROW_REM * rootFontSize())
  const [timeZone] = useState(browserTimeZone)
  const focused = useRef(-1)
  const virtualizer = useWindowVirtualizer({
    count: sounds.length,
    estimateSize: () => rowHeight,
    overscan: OVERSCAN,
    scrollMargin: margin,
    getItemKey: (index) => sounds[index]?.id ?? index,
    rangeExtractor: useCallback((range: Range) => withFocused(range, focused.current), []),
    useFlushSync: false,
  })
  const rows = virtualizer.getVirtualItems()
  const last = rows.at(-1)?.index ?? 0
  const isNearEnd = sounds.length > 0 && last >= sounds.length - NEAR_END
  useEffect(() => {
    if (isNearEnd) onNearEnd()
  }, [isNearEnd, onNearEnd])

  const focusRow = (index: number) => {
    const id = sounds[index]?.id
    if (!id) return
    focused.current = index
    virtualizer.scrollToIndex(index, { align: 'auto' })
    // The row is made by then.
    requestAnimationFrame(() => requestAnimationFrame(() => focusButton(id)))
  }
  const walk = (event: KeyboardEvent) => {
    const from = focused.current
    const targets: Record<string, number> = {
      ArrowDown: Math.min(from + 1, sounds.length - 1),
      ArrowUp: Math.max(from - 1, 0),
      Home: 0,
      End: sounds.length - 1,
    }
    const target = targets[event.key]
    const isOnRow = event.target instanceof Element && event.target.closest('[data-row]') !== null
    if (target === undefined || !isOnRow || event.defaultPrevented) return
    event.preventDefault()
    focusRow(target)
  }

  return (
    <ul
      ref={list}
      aria-label="Liste de lecture"
      className="relative mt-4"
      style={{ height: virtualizer.getTotalSize() }}
      onKeyDown={walk}
      onFocus={(event) => {
        focused.current = Number(event.target.closest('li')?.dataset.index ?? -1)
      }}
      onBlur={() => {
        focused.current = -1
      }}
    >
      {rows.map(({ index, key, start, size }) => {
        const sound = sounds[index]
        if (!sound) return null
        return (
          <li
            key={key}
            data-index={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            className="absolute inset-x-0 top-0 pb-2 [contain:layout_style]"
            style={{ height: size, transform: `translateY(${start - margin}px)` }}
          >
            <SoundRow
              sound={sound}
              viewerId={rest.viewerId}
              timeZone={timeZone}
              isCurrent={sound.id === rest.currentId}
              isPlaying={rest.isPlaying && sound.id === rest.currentId}
              actions={rest.actions}
            />
          </li>
        )
      })}
    </ul>
  )
}

function withFocused(range: Range, focused: number): number[] {
  const indexes = defaultRangeExtractor(range)
  if (focused < 0 || focused >= range.count || indexes.includes(focused)) return indexes
  return [...indexes, focused].sort((a, b) => a - b)
}

function focusButton(id: string): void {
  document.getElementById(rowButtonId(id))?.focus({ preventScroll: true })
}

function rootFontSize(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16
}

/** Where the list begins in the page, which what stands above it may move. */
function useTop(list: React.RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0)
  useLayoutEffect(() => {
    const measure = () => {
      if (list.current)
        setTop(Math.round(list.current.getBoundingClientRect().top + window.scrollY))
    }
    measure()
    if (typeof ResizeObserver === 'undefined') return
    const observer = new ResizeObserver(measure)
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [list])
  return top
}
