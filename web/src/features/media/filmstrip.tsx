import { useEffect, useRef, useState } from 'react'
import { drawFilmstrip } from './draw-filmstrip.ts'
import type { TeaserWindow } from './teaser-window.ts'

const FRAMES = 9
const HEIGHT = 64

interface FilmstripProps {
  src: string
  /** The stretch of the video to show. */
  view: TeaserWindow
}

/** Frames of a video side by side. A browser that cannot read it shows a plain strip. */
export function Filmstrip({ src, view: { start, end } }: FilmstripProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isReadable, setReadable] = useState(true)
  useEffect(() => {
    const target = canvas.current
    if (!target) return
    const stop = new AbortController()
    const scale = Math.min(2, window.devicePixelRatio || 1)
    target.width = Math.max(1, Math.round(target.clientWidth * scale))
    target.height = HEIGHT * scale
    const step = (end - start) / FRAMES
    const places = Array.from({ length: FRAMES }, (_, index) => start + (index + 0.5) * step)
    const options = { src, places, canvas: target, signal: stop.signal }
    void drawFilmstrip(options).then((isDrawn) => {
      if (!stop.signal.aborted) setReadable(isDrawn)
    })
    return () => stop.abort()
  }, [src, start, end])
  return (
    <div
      aria-hidden="true"
      className="absolute inset-0 overflow-hidden rounded-md bg-[repeating-linear-gradient(90deg,var(--line)_0_2px,transparent_2px_11.11%)] bg-sunken"
    >
      <canvas ref={canvas} className="size-full" hidden={!isReadable} />
    </div>
  )
}
