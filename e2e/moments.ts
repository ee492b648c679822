import { expect, type Page } from '@playwright/test'

/** The next whole minute that is at least this far. */
export function nextMinute({ leadMs }: { leadMs: number }): Date {
  return new Date(Math.ceil((Date.now() + leadMs) / 60_000) * 60_000)
}

/** Chooses the next whole minute that is at least this far, in the fields of a form. */
export async function chooseMinute(page: Page, { leadMs }: { leadMs: number }): Promise<Date> {
  const instant = nextMinute({ leadMs })
  await chooseDay(page, 'Date de révélation', instant)
  await page.getByLabel('Heure').fill(inBrussels(instant, { hour: '2-digit', minute: '2-digit' }))
  return instant
}

/** Chooses the day of an instant, of the month that is proposed or of the one before, in the field of that name. */
export async function chooseDay(page: Page, label: string, instant: Date): Promise<void> {
  await page.getByLabel(label, { exact: true }).click()
  const name = inBrussels(instant, { dateStyle: 'full' })
  await expect(page.getByRole('gridcell').locator(':focus')).toBeVisible()
  const day = page.getByRole('gridcell').getByRole('button', { name })
  // On the last day of a month, tomorrow is proposed, in the next.
  if ((await day.count()) === 0) {
    await page.getByRole('button', { name: 'Aller au mois précédent' }).click()
  }
  await day.click()
}

/** A moment by the clocks of Brussels, in French: where the browser of a journey is. */
export function inBrussels(instant: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('fr', { timeZone: 'Europe/Brussels', ...options }).format(instant)
}
