import { useQuery } from '@tanstack/react-query'
import { type RefObject, useEffect, useMemo, useRef } from 'react'
import type { Sound } from '#contract/sounds.ts'
import { waveformQuery } from './sounds.queries.ts'
import { barsOf, WAVE_HEIGHT, WAVE_WIDTH, wavePath } from './wave-path.ts'

interface WaveformProps {
  sound: Sound
  media: RefObject<HTMLAudioElement | null>
  length: number
  /** Where a finger holds it, in seconds, whatever plays meanwhile. */
  heldAt: number | undefined
}

/** The shape of a sound, wax as far as it was heard. Only the edge of the colour moves, without React. */
export function Waveform({ sound, media, length, heldAt }: WaveformProps) {
  const { data } = useQuery({ ...waveformQuery(sound.id), enabled: sound.has_waveform === true })
  const path = useMemo(() => wavePath(barsOf(data?.peaks ?? [])), [data])
  const heard = useRef<SVGSVGElement>(null)
  useEdge(heard, media, length, heldAt)
  return (
    <div aria-hidden="true" className="relative size-full">
      <Strokes path={path} className="text-line-strong" />
      <Strokes path={path} className="text-wax-ink" ref={heard} />
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

/** Follows the player at the pace of the screen while it plays, and repaints only when the edge has moved a pixel. */
function useEdge(
  heard: RefObject<SVGSVGElement | null>,
  media: RefObject<HTMLAudioElement | null>,
  length: number,
  heldAt: number | undefined,
): void {
  useEffect(() => {
    const drawing = heard.current
    const player = media.current
    if (!drawing || !player) return
    let frame = 0
    let shown = -1
    const width = Math.max(1, drawing.getBoundingClientRect().width)
    const draw = () => {
      const share = length > 0 ? (heldAt ?? player.currentTime) / length : 0
      const pixels = Math.round(Math.min(1, Math.max(0, share)) * width)
      if (pixels !== shown) {
        shown = pixels
        drawing.style.clipPath = `inset(0 ${100 - (100 * pixels) / width}% 0 0)`
      }
      frame = player.paused || heldAt !== undefined ? 0 : requestAnimationFrame(draw)
    }
    const wake = () => {
      if (!frame) draw()
    }
    draw()
    const moments = [
      'playing',
      'seeking',
      'seeked',
      'timeupdate',
      'emptied',
      'loadedmetadata',
    ] as const
    for (const moment of moments) player.addEventListener(moment, wake)
    return () => {
      cancelAnimationFrame(frame)
      for (const moment of moments) player.removeEventListener(moment, wake)
    }
  }, [heard, media, length, heldAt])
}
