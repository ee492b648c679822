import { useEffect, useRef, useState } from 'react'
import { prefersReducedMotion } from '#web/lib/device.ts'

// With reduced motion, the bars stand still and change their height twice a second.
const STEP_MS = 90
const STILL_STEP_MS = 500
const BAR_PX = 3
const GAP_PX = 3

interface LevelMeterProps {
  stream: MediaStream
  /** False while paused: the bars stand still. */
  isActive: boolean
}

/** Draws the level of the last seconds. */
export function LevelMeter({ stream, isActive }: LevelMeterProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const levels = useRef<number[]>([])
  const readLevel = useLevel(stream)
  useEffect(() => {
    const surface = canvas.current
    if (!surface || !readLevel) return
    const isStill = prefersReducedMotion()
    const draw = () => drawBars(surface, levels.current, isActive)
    draw()
    if (!isActive) return
    const step = () => {
      const count = Math.ceil(surface.clientWidth / (BAR_PX + GAP_PX))
      const level = readLevel()
      levels.current = isStill
        ? new Array<number>(count).fill(level)
        : [...levels.current, level].slice(-count)
      draw()
    }
    const timer = setInterval(step, isStill ? STILL_STEP_MS : STEP_MS)
    return () => clearInterval(timer)
  }, [readLevel, isActive])
  return (
    <div aria-hidden="true">
      <canvas ref={canvas} className="h-20 w-full text-ember-ink" />
    </div>
  )
}

function drawBars(surface: HTMLCanvasElement, levels: readonly number[], isActive: boolean): void {
  const pen = surface.getContext('2d')
  if (!pen) return
  const { clientWidth: width, clientHeight: height } = surface
  const scale = window.devicePixelRatio || 1
  surface.width = width * scale
  surface.height = height * scale
  pen.scale(scale, scale)
  pen.fillStyle = getComputedStyle(surface).color
  const count = Math.floor(width / (BAR_PX + GAP_PX))
  for (let index = 0; index < count; index++) {
    const level = levels[levels.length - count + index]
    const barHeight = Math.max(BAR_PX, (level ?? 0) * height)
    // The oldest bars fade; missing levels are a row of dots.
    pen.globalAlpha = level === undefined ? 0.25 : (isActive ? 0.35 : 0.2) + (0.6 * index) / count
    pen.beginPath()
    pen.roundRect(
      index * (BAR_PX + GAP_PX),
      (height - barHeight) / 2,
      BAR_PX,
      barHeight,
      BAR_PX / 2,
    )
    pen.fill()
  }
}

// The level of a silent room.
const SILENCE_DB = -60

/** The level of the microphone now, from 0 to 1. */
type ReadLevel = () => number

/** Undefined where the browser cannot measure. */
function useLevel(stream: MediaStream): ReadLevel | undefined {
  const [readLevel, setReadLevel] = useState<ReadLevel>()
  useEffect(() => {
    if (!('AudioContext' in window)) return
    const audio = new AudioContext()
    const analyser = audio.createAnalyser()
    analyser.fftSize = 1024
    audio.createMediaStreamSource(stream).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    setReadLevel(() => () => {
      analyser.getFloatTimeDomainData(samples)
      return loudness(samples)
    })
    return () => void audio.close()
  }, [stream])
  return readLevel
}

/** From 0 to 1 on a scale of decibels. */
export function loudness(samples: Float32Array): number {
  let sum = 0
  for (const sample of samples) sum += sample * sample
  const decibels = 20 * Math.log10(Math.sqrt(sum / samples.length) || Number.MIN_VALUE)
  return Math.min(1, Math.max(0, 1 - decibels / SILENCE_DB))
}
