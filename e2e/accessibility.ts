import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** No fault against WCAG 2.2 AA on the page as it is now, and nothing that scrolls sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  // What is still fading in has not its final contrast, and something may appear at any moment.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  let faults = await findFaults(page)
  // A letter that opens while axe looks is judged by the ink of its day on the paper of its night.
  if (faults.length > 0) faults = await findFaults(page)
  await page.emulateMedia({ reducedMotion: null })
  expect(faults).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}

async function findFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).withTags(RULES).analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target).join(' · ')}`)
}

const ENLARGED = [
  // 1280 × 900 at 200 %.
  { width: 640, height: 450 },
  // 1280 at 400 %: WCAG 1.4.10.
  { width: 320, height: 512 },
]

/** Enlarged to 200 % and to 400 % the page still fits: nothing beside it, no word of a control or a heading cut. */
export async function expectFitsEnlarged(page: Page): Promise<void> {
  const usual = page.viewportSize()
  for (const size of ENLARGED) {
    await page.setViewportSize(size)
    // A tab that was chosen slides into its row.
    await expect(async () => expect(await page.evaluate(findMisfits)).toEqual([])).toPass({
      timeout: 60_000,
    })
  }
  if (usual) await page.setViewportSize(usual)
}

/** Runs in the page. Titles and addresses of any length may end in « … » in lists: they are whole on their page. */
function findMisfits(): string[] {
  const width = document.documentElement.clientWidth
  const misfits = new Set<string>()
  if (document.documentElement.scrollWidth > width) misfits.add('the page scrolls sideways')
  const slides = (element: Element) => {
    for (let at = element.parentElement; at; at = at.parentElement) {
      if (['auto', 'scroll'].includes(getComputedStyle(at).overflowX)) return true
    }
    return false
  }
  for (const element of document.querySelectorAll('a, button, input, select, textarea, h1, h2')) {
    const { left, right, height } = element.getBoundingClientRect()
    const { clipPath, overflowX } = getComputedStyle(element)
    const isSeen = element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    // Made for assistive technology alone.
    if (!isSeen || height <= 1 || clipPath !== 'none') continue
    const what = `${element.tagName} « ${element.textContent || element.getAttribute('aria-label')} »`
    if ((left < -1 || right > width + 1) && !slides(element))
      misfits.add(`${what} is beside the page`)
    const isCut = element.scrollWidth > element.clientWidth + 1 && element.textContent !== ''
    if (isCut && ['hidden', 'clip'].includes(overflowX)) misfits.add(`${what} is cut`)
  }
  return [...misfits]
}
