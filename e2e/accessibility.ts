import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa']

/** No fault against WCAG 2.2 AA on the page as it is now, and nothing that scrolls sideways. */
export async function expectAccessible(page: Page): Promise<void> {
  // A letter that opened while axe looked had one colour before and another behind: it is looked at again.
  if ((await findFaults(page)).length > 0) expect(await findFaults(page)).toEqual([])
  const overflow = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  )
  expect(overflow).toBeLessThanOrEqual(0)
}

async function findFaults(page: Page): Promise<string[]> {
  await page.evaluate(settle)
  // Without the parts for frames, of which there are none, and for faultless results.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await axe.withTags(RULES).analyze()
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, any }) => `${id}: ${target}: ${any[0]?.message ?? ''}`),
  )
}

/** Runs in the page. Even a transition of zero duration passes frame by frame to the inherited colour. */
async function settle(): Promise<void> {
  const frame = () => new Promise(requestAnimationFrame)
  const isPassing = ({ effect, playState }: Animation) =>
    playState === 'running' && Number.isFinite(effect?.getComputedTiming().endTime)
  // What lies under the header, which is not opaque, cannot be read.
  window.scrollTo(0, 0)
  do {
    await frame()
    await frame()
  } while (document.getAnimations().some(isPassing))
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
    await expect(async () => expect(await page.evaluate(findMisfits)).toEqual([])).toPass()
  }
  if (usual) await page.setViewportSize(usual)
}

/** Runs in the page. Titles and addresses of any length may end in « … » in lists: they are whole on their page. */
function findMisfits(): string[] {
  const width = document.documentElement.clientWidth
  const misfits = new Set<string>()
  if (document.documentElement.scrollWidth > width) {
    const wide = [...document.querySelectorAll('main *')].filter(
      (element) =>
        element.getBoundingClientRect().right > width + 1 ||
        element.scrollWidth > element.clientWidth + 1,
    )
    const named = wide.map(({ tagName, className }) => `${tagName}.${className}`)
    misfits.add(`the page scrolls sideways, perhaps by ${named.join(', ') || 'no element'}`)
  }
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
    // Visible to assistive technology alone.
    if (!isSeen || height <= 1 || clipPath !== 'none') continue
    const what = `${element.tagName} « ${element.textContent || element.getAttribute('aria-label')} »`
    if ((left < -1 || right > width + 1) && !slides(element))
      misfits.add(`${what} is beside the page`)
    const isCut = element.scrollWidth > element.clientWidth + 1 && element.textContent !== ''
    if (isCut && ['hidden', 'clip'].includes(overflowX)) misfits.add(`${what} is cut`)
  }
  return [...misfits]
}
