import { expect, type Page } from '@playwright/test'
import { LIMIT_MS } from './limits.ts'

const LEAST_LEAD_MS = 10_000

/** The letter of the demo opens that long after its page is hydrated. */
const DEMO_WAIT_MS = 42_000
/** Longer than an opening lasts. */
const DEMO_OPENS_MS = 5_000

/**
 * An instant to come that leaves time for what is looked at before it: as many times as long as what was done since
 * `begunAt`, since a slower machine needs more.
 */
export function soonAfter(begunAt: number, times = 2): Date {
  return new Date(Date.now() + Math.max(LEAST_LEAD_MS, times * (Date.now() - begunAt)))
}

/**
 * A letter that this page seals for a later day opens soon instead: forms have whole minutes, and an edit begins tomorrow.
 */
export async function openSoon(
  page: Page,
  endpoint: { url: string },
  times?: number,
): Promise<() => Date> {
  const begunAt = Date.now()
  let instant: Date | undefined
  await page.route(`**${endpoint.url}`, async (route) => {
    const body = route.request().postDataJSON()
    if (!body?.reveal_date) return route.fallback()
    instant = soonAfter(begunAt, times)
    await route.continue({ postData: { ...body, reveal_date: instant.toISOString() } })
  })
  return () => {
    if (!instant) throw new Error(`Nothing with a date was sent to ${endpoint.url}`)
    return instant
  }
}

/** How long to wait for what an instant brings: until then, and as long as anything else after it. */
export function untilAfter(instant: Date): { timeout: number } {
  return { timeout: Math.max(0, instant.getTime() - Date.now()) + LIMIT_MS }
}

/** Chooses the day of an instant, of the month that is proposed or of the one before, in the field of that name. */
export async function chooseDay(page: Page, label: string, instant: Date): Promise<void> {
  await page.getByLabel(label, { exact: true }).click()
  const name = new Intl.DateTimeFormat('fr', {
    timeZone: 'Europe/Brussels',
    dateStyle: 'full',
  }).format(instant)
  await expect(page.getByRole('gridcell').locator(':focus')).toBeVisible()
  const day = page.getByRole('gridcell').getByRole('button', { name })
  // On the last day of a month, tomorrow is proposed, in the next.
  if ((await day.count()) === 0) {
    await page.getByRole('button', { name: 'Aller au mois précédent' }).click()
  }
  await day.click()
}

/** Breaks the seal of a letter that waits for its reader. */
export async function breakSeal(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Briser le sceau et ouvrir la lettre' }).press('Enter')
}

/** Lets the minute of the demo pass, on a page whose clock is installed. */
export async function openDemoLetter(page: Page): Promise<void> {
  await expect(async () => {
    await page.clock.fastForward(DEMO_WAIT_MS)
    const letter = page.getByText(/Elle s’appelle Aurore/)
    await expect(letter).toBeVisible({ timeout: DEMO_OPENS_MS })
  }).toPass()
}
