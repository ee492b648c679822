import type { CDPSession, Page } from '@playwright/test'

/** The factor by which the simulated phone is slower than this machine. */
export const CPU_SLOWDOWN = 4

export interface Frames {
  frames: number
  medianMs: number
  p99Ms: number
  longestMs: number
  /** Frames that people see stumble. */
  over50Ms: number
}

/** The frames of a page while something is done to it, on a processor slowed down. */
export async function watchFrames(
  page: Page,
  act: (session: CDPSession) => Promise<void>,
): Promise<Frames> {
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  await page.evaluate(() => {
    const gaps: number[] = []
    let last = performance.now()
    const tick = (now: number) => {
      gaps.push(now - last)
      last = now
      if (window.name === 'watched') requestAnimationFrame(tick)
    }
    window.name = 'watched'
    Object.assign(window, { gaps })
    requestAnimationFrame((now) => {
      last = now
      requestAnimationFrame(tick)
    })
  })
  await act(session)
  const gaps = await page.evaluate(() => {
    window.name = ''
    return (window as unknown as { gaps: number[] }).gaps
  })
  await session.send('Emulation.setCPUThrottlingRate', { rate: 1 })
  await session.detach()
  return summarize(gaps)
}

/** Pushes the page up, again and again: pixels, at pixels a second. Throws where nothing moved. */
export async function fling(
  page: Page,
  session: CDPSession,
  { distance, speed, times }: { distance: number; speed: number; times: number },
): Promise<void> {
  const before = await page.evaluate(() => window.scrollY)
  for (let time = 0; time < times; time += 1) {
    // A touch scrolls nothing in a browser without a screen.
    const gesture = { x: 180, y: 500, yDistance: -distance, speed } as const
    await session.send('Input.synthesizeScrollGesture', { ...gesture, gestureSourceType: 'mouse' })
  }
  const moved = Math.abs((await page.evaluate(() => window.scrollY)) - before)
  if (moved < Math.abs(distance) / 2) throw new Error(`The page moved by ${moved} pixels only`)
}

function summarize(gaps: readonly number[]): Frames {
  const sorted = [...gaps].sort((one, other) => one - other)
  const at = (share: number) => round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0)
  return {
    frames: gaps.length,
    medianMs: at(0.5),
    p99Ms: at(0.99),
    longestMs: at(1),
    // Three frames of the screen are 50.0 ms, measured to a tenth.
    over50Ms: gaps.filter((gap) => gap > 50.5).length,
  }
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10
}
