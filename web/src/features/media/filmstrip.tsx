import { useEffect, useRef, useState } from 'react'
import type { TeaserWindow } from './teaser-window.ts'

const FRAMES = 9
const HEIGHT = 64

interface FilmstripProps {
  src: string
  /** The part of the video to show. */
  view: TeaserWindow
}

/** Frames of a video side by side; a plain strip where this browser cannot read it. */
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
    const positions = Array.from({ length: FRAMES }, (_, index) => start + (index + 0.5) * step)
    const options = { src, positions, canvas: target, signal: stop.signal }
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

const SEEK_LIMIT_MS = 4000

interface FilmstripOptions {
  src: string
  /** The position of each frame, in seconds. */
  positions: readonly number[]
  canvas: HTMLCanvasElement
  signal: AbortSignal
}

/** Returns false when this browser cannot read the video. */
async function drawFilmstrip(options: FilmstripOptions): Promise<boolean> {
  const { src, positions, canvas, signal } = options
  const context = canvas.getContext('2d')
  const video = document.createElement('video')
  video.muted = true
  video.playsInline = true
  video.preload = 'auto'
  video.src = src
  try {
    await waitForEvent(video, 'loadeddata', signal)
    if (!context || video.videoWidth === 0) return false
    const width = canvas.width / positions.length
    for (const [index, position] of positions.entries()) {
      video.currentTime = position
      await waitForEvent(video, 'seeked', signal)
      drawCovering(context, video, { x: index * width, width, height: canvas.height })
    }
    return true
  } catch {
    return signal.aborted
  } finally {
    // Frees the decoder and its buffer.
    video.removeAttribute('src')
    video.load()
  }
}

interface Area {
  x: number
  width: number
  height: number
}

/** As `object-fit: cover` would. */
function drawCovering(
  context: CanvasRenderingContext2D,
  video: HTMLVideoElement,
  { x, width, height }: Area,
): void {
  const scale = Math.max(width / video.videoWidth, height / video.videoHeight)
  const [cutWidth, cutHeight] = [width / scale, height / scale]
  const cutX = (video.videoWidth - cutWidth) / 2
  const cutY = (video.videoHeight - cutHeight) / 2
  context.drawImage(video, cutX, cutY, cutWidth, cutHeight, x, 0, width, height)
}

function waitForEvent(video: HTMLVideoElement, name: string, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const over = new AbortController()
    const settle = (done: () => void) => () => {
      clearTimeout(timer)
      over.abort()
      done()
    }
    const timer = setTimeout(settle(reject), SEEK_LIMIT_MS)
    const options = { signal: over.signal }
    video.addEventListener(name, settle(resolve), options)
    video.addEventListener('error', settle(reject), options)
    signal.addEventListener('abort', settle(reject), options)
    if (signal.aborted) settle(reject)()
  })
}
