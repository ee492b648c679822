import type { Page } from '@playwright/test'

export interface ShiftSummary {
  /** Every shift of the layout, those after a tap too, which the browser itself leaves out of its figure. */
  shift: number
  /** What moved furthest, as a selector. */
  shifted: string
}

interface LayoutShift extends PerformanceEntry {
  value: number
  sources: { node: Node | null }[]
}

declare global {
  interface Window {
    layoutShifts: { value: number; names: string[] }[]
  }
}

/** In the page: notes every shift of its layout from now on; `buffered`, those before now too. */
export function noteShifts({ buffered }: { buffered: boolean }): void {
  const nameOf = (node: Node | null) =>
    node instanceof Element ? [node.localName, ...node.classList].slice(0, 4).join('.') : '#text'
  const shifts: Window['layoutShifts'] = []
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as LayoutShift[]) {
      shifts.push({ value, names: sources.map(({ node }) => nameOf(node)) })
    }
  }).observe({ type: 'layout-shift', buffered })
  window.layoutShifts = shifts
}

/** Of what the page noted so far. */
export async function summarizeShifts(page: Page): Promise<ShiftSummary> {
  const shifts = await page.evaluate(() => window.layoutShifts)
  const largest = shifts.toSorted((one, other) => other.value - one.value)[0]
  return {
    shift: shifts.reduce((sum, { value }) => sum + value, 0),
    shifted: largest?.names.join(', ') ?? '',
  }
}
