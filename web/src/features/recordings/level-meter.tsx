import { useEffect, useRef } from 'react'
import { wantsLessMotion } from '#web/lib/motion.ts'
import { useLevel } from './use-level.ts'

// Calm: a bar every tenth of a second, or the same bars breathing twice a second for whoever wants less motion.
const STEP_MS = 90
const STILL_STEP_MS = 500
const BAR_PX = 3
const GAP_PX = 3

interface LevelMeterProps {
  stream: MediaStream
  /** It holds still while nothing is recorded. */
  isActive: boolean
}

/** The voice of the last seconds, drawn as it comes: it shows that one is heard. */
export function LevelMeter({ stream, isActive }: LevelMeterProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const levels = useRef<number[]>([])
  const readLevel = useLevel(stream)
  useEffect(() => {
    const surface = canvas.current
    if (!surface || !readLevel) return
    const isStill = wantsLessMotion()
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
  for (let place = 0; place < count; place++) {
    const level = levels[levels.length - count + place]
    const tall = Math.max(BAR_PX, (level ?? 0) * height)
    // The oldest fade away; what is not said yet is a row of dots.
    pen.globalAlpha = level === undefined ? 0.25 : (isActive ? 0.35 : 0.2) + (0.6 * place) / count
    pen.beginPath()
    pen.roundRect(place * (BAR_PX + GAP_PX), (height - tall) / 2, BAR_PX, tall, BAR_PX / 2)
    pen.fill()
  }
}
