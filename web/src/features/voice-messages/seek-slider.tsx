import { useQuery } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { lengthInWords } from '#contract/date-in-words.ts'
import { formatDuration } from '#web/lib/format.ts'
import type { VoicePlayer } from './use-voice-player.ts'
import type { VoiceMessage } from './voice-message.ts'
import { waveformQuery } from './voice-messages.queries.ts'

const STEP_SECONDS = 5
const PAGE_SECONDS = 30

/** Seeks in the playing voice message. What it announces changes only when the person seeks, never as time passes. */
export function SeekSlider({ player }: { player: VoicePlayer }) {
  const { current, media, length, seek } = player
  const [draggedTo, setDraggedTo] = useState<number>()
  const [announced, setAnnounced] = useState(0)
  const place = () => media.current?.currentTime ?? 0
  const go = (seconds: number) => {
    const target = Math.min(Math.max(0, seconds), length)
    seek(target)
    setAnnounced(target)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const target = placeAfterKey(event.key, place(), length)
    if (target === undefined) return
    event.preventDefault()
    go(target)
  }
  const placeUnder = ({ currentTarget, clientX }: PointerEvent<HTMLElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect()
    return Math.min(1, Math.max(0, (clientX - left) / Math.max(1, width))) * length
  }
  if (!current) return null
  return (
    <div>
      <div
        role="slider"
        tabIndex={0}
        aria-label="Position dans le message"
        aria-valuemin={0}
        aria-valuemax={Math.round(length)}
        aria-valuenow={Math.round(announced)}
        aria-valuetext={`${lengthInWords(announced)} sur ${lengthInWords(length)}`}
        onFocus={() => setAnnounced(place())}
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          event.currentTarget.setPointerCapture(event.pointerId)
          setDraggedTo(placeUnder(event))
        }}
        onPointerMove={(event) => {
          if (draggedTo !== undefined) setDraggedTo(placeUnder(event))
        }}
        onPointerUp={(event) => {
          if (draggedTo === undefined) return
          go(placeUnder(event))
          setDraggedTo(undefined)
        }}
        onPointerCancel={() => setDraggedTo(undefined)}
        className="h-14 cursor-pointer touch-pan-y select-none rounded-md"
      >
        <Waveform voiceMessage={current} media={media} length={length} draggedTo={draggedTo} />
      </div>
      <p className="tabular-digits mt-1 flex justify-between text-ink-soft text-sm">
        <Elapsed player={player} draggedTo={draggedTo} />
        <span>{formatDuration(length)}</span>
      </p>
    </div>
  )
}

/** Undefined for a key that does not seek. */
function placeAfterKey(key: string, place: number, length: number): number | undefined {
  const moves: Record<string, number> = {
    ArrowLeft: place - STEP_SECONDS,
    ArrowDown: place - STEP_SECONDS,
    ArrowRight: place + STEP_SECONDS,
    ArrowUp: place + STEP_SECONDS,
    PageDown: place - PAGE_SECONDS,
    PageUp: place + PAGE_SECONDS,
    Home: 0,
    End: length,
  }
  return moves[key]
}

function Elapsed({ player, draggedTo }: { player: VoicePlayer; draggedTo: number | undefined }) {
  const place = usePosition(player.media)
  return <span>{formatDuration(draggedTo ?? Math.min(place, player.length || place))}</span>
}

const POSITION_EVENTS = ['timeupdate', 'seeking', 'seeked', 'emptied', 'loadedmetadata'] as const

/** The position of the player in seconds, a few times a second; only the calling component renders with it. */
export function usePosition(media: RefObject<HTMLAudioElement | null>): number {
  const [place, setPlace] = useState(0)
  useEffect(() => {
    const player = media.current
    if (!player) return
    const read = () => setPlace(player.currentTime)
    read()
    for (const name of POSITION_EVENTS) player.addEventListener(name, read)
    return () => {
      for (const name of POSITION_EVENTS) player.removeEventListener(name, read)
    }
  }, [media])
  return place
}

interface WaveformProps {
  voiceMessage: VoiceMessage
  media: RefObject<HTMLAudioElement | null>
  length: number
  /** Where a finger drags the slider to, in seconds, whatever plays meanwhile. */
  draggedTo: number | undefined
}

/** The waveform, coloured as far as it has played. Only the edge of the colour moves, without React. */
function Waveform({ voiceMessage, media, length, draggedTo }: WaveformProps) {
  const { data } = useQuery({
    ...waveformQuery(voiceMessage.id),
    enabled: voiceMessage.has_waveform === true,
  })
  const path = useMemo(() => wavePath(barsOf(data?.peaks ?? [])), [data])
  const played = useRef<SVGSVGElement>(null)
  usePlayedEdge(played, media, length, draggedTo)
  return (
    <div aria-hidden="true" className="relative size-full">
      <Strokes path={path} className="text-line-strong" />
      <Strokes path={path} className="text-wax-ink" ref={played} />
    </div>
  )
}

interface StrokesProps {
  path: string
  className: string
  ref?: RefObject<SVGSVGElement | null>
}

function Strokes({ path, className, ref }: StrokesProps) {
  return (
    <svg
      ref={ref}
      aria-hidden="true"
      viewBox={`0 0 ${WAVE_WIDTH} ${WAVE_HEIGHT}`}
      preserveAspectRatio="none"
      className={`absolute inset-0 size-full ${className}`}
    >
      <path
        d={path}
        stroke="currentColor"
        strokeWidth="3"
        strokeLinecap="round"
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  )
}

/** Follows the player on each frame while it plays, and repaints only when the edge has moved a pixel. */
function usePlayedEdge(
  played: RefObject<SVGSVGElement | null>,
  media: RefObject<HTMLAudioElement | null>,
  length: number,
  draggedTo: number | undefined,
): void {
  useEffect(() => {
    const drawing = played.current
    const player = media.current
    if (!drawing || !player) return
    let frame = 0
    let shown = -1
    const width = Math.max(1, drawing.getBoundingClientRect().width)
    const draw = () => {
      const share = length > 0 ? (draggedTo ?? player.currentTime) / length : 0
      const pixels = Math.round(Math.min(1, Math.max(0, share)) * width)
      if (pixels !== shown) {
        shown = pixels
        drawing.style.clipPath = `inset(0 ${100 - (100 * pixels) / width}% 0 0)`
      }
      frame = player.paused || draggedTo !== undefined ? 0 : requestAnimationFrame(draw)
    }
    const drawIfIdle = () => {
      if (!frame) draw()
    }
    draw()
    const events = [
      'playing',
      'seeking',
      'seeked',
      'timeupdate',
      'emptied',
      'loadedmetadata',
    ] as const
    for (const event of events) player.addEventListener(event, drawIfIdle)
    return () => {
      cancelAnimationFrame(frame)
      for (const event of events) player.removeEventListener(event, drawIfIdle)
    }
  }, [played, media, length, draggedTo])
}

const WAVE_WIDTH = 120
const WAVE_HEIGHT = 48

const LOWEST_BAR = 0.05

/** Each bar is as high as the loudest peak in its part. */
export function barsOf(peaks: readonly number[], count = WAVE_WIDTH / 2): number[] {
  if (peaks.length === 0) return Array.from({ length: count }, () => LOWEST_BAR)
  const loudest = Math.max(...peaks, 0.01)
  return Array.from({ length: count }, (_, bar) => {
    const from = Math.floor((bar * peaks.length) / count)
    const until = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / count))
    return Math.max(LOWEST_BAR, Math.max(...peaks.slice(from, until)) / loudest)
  })
}

/** The path of an SVG, a vertical stroke for each bar. */
export function wavePath(bars: readonly number[]): string {
  const step = WAVE_WIDTH / bars.length
  return bars
    .map((loudness, bar) => {
      const x = ((bar + 0.5) * step).toFixed(2)
      const half = (loudness * (WAVE_HEIGHT - 4)) / 2
      return `M${x} ${(WAVE_HEIGHT / 2 - half).toFixed(1)}V${(WAVE_HEIGHT / 2 + half).toFixed(1)}`
    })
    .join('')
}
