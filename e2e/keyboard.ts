import { expect, type Locator, type Page } from '@playwright/test'

const STOPS_LIMIT = 90

interface Stop {
  what: string
  isRinged: boolean
  isSeen: boolean
}

/** Presses Tab until one of these has the focus; each stop on the way is seen, ringed, and another than the one before. */
export async function tabTo(page: Page, target: Locator, key = 'Tab'): Promise<void> {
  const passed: string[] = []
  while (passed.length < STOPS_LIMIT) {
    await page.keyboard.press(key)
    const stop = await page.evaluate(describeFocus)
    passed.push(stop.what)
    expect(stop, `After ${passed.join(' › ')}`).toMatchObject({ isRinged: true, isSeen: true })
    if (await hasFocus(target)) return
  }
  throw new Error(`${key} never reached ${target}: ${passed.join(' › ')}`)
}

/** Walks there and presses it. */
export async function pressOn(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target)
  await page.keyboard.press(key)
}

/** Walks to a field and writes. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.type(text)
}

/** A dialog receives the focus a frame or two after it is visible: a key pressed sooner belongs to the page below. */
export async function expectInside(page: Page, panel: Locator): Promise<void> {
  await expect(panel.and(page.locator(':focus, :focus-within'))).toBeVisible()
}

/** Tab stays inside, Escape closes, and what opened it has the focus again. */
export async function leaveWithEscape(page: Page, dialog: Locator, opener: Locator): Promise<void> {
  await expectInside(page, dialog)
  for (let presses = 0; presses < 4; presses += 1) {
    await page.keyboard.press('Tab')
    expect(await dialog.evaluate((panel) => panel.contains(document.activeElement))).toBe(true)
  }
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(opener).toBeFocused()
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluateAll((elements) => elements.includes(document.activeElement as HTMLElement))
}

/** Runs in the page: what has the focus, whether it shows, and whether anything lies over it. */
function describeFocus(): Stop {
  const focused = document.activeElement ?? document.body
  const what = `${focused.tagName.toLowerCase()} « ${(
    focused.getAttribute('aria-label') || focused.textContent?.trim() || focused.id
  ).slice(0, 40)} »`
  const drawsRing = (element: Element | null, pseudo?: string) => {
    if (!element) return false
    const { outlineStyle, outlineWidth } = getComputedStyle(element, pseudo)
    return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2
  }
  const isRinged =
    focused !== document.body &&
    (drawsRing(focused) ||
      drawsRing(focused, '::after') ||
      drawsRing(focused.parentElement) ||
      drawsRing(focused.closest('label')))
  const { left, right, top, bottom } = focused.getBoundingClientRect()
  const within = (from: number, to: number, size: number) =>
    (Math.max(0, from) + Math.min(size, to)) / 2
  const over = document.elementFromPoint(
    within(left, right, innerWidth),
    within(top, bottom, innerHeight),
  )
  const isSeen = over !== null && (focused.contains(over) || over.contains(focused))
  return { what, isRinged, isSeen }
}
