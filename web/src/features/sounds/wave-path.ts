export const WAVE_WIDTH = 120
export const WAVE_HEIGHT = 48

const LOWEST = 0.05

/** As many bars as the drawing has columns, each as loud as the loudest moment it stands for. */
export function barsOf(peaks: readonly number[], count = WAVE_WIDTH / 2): number[] {
  if (peaks.length === 0) return Array.from({ length: count }, () => LOWEST)
  const loudest = Math.max(...peaks, 0.01)
  return Array.from({ length: count }, (_, bar) => {
    const from = Math.floor((bar * peaks.length) / count)
    const until = Math.max(from + 1, Math.floor(((bar + 1) * peaks.length) / count))
    return Math.max(LOWEST, Math.max(...peaks.slice(from, until)) / loudest)
  })
}

/** One vertical stroke for each bar. */
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
