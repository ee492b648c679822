import type { Page } from '@playwright/test'

/** Chooses the next whole minute that is at least this far, in the fields of a form. */
export async function chooseMinute(page: Page, { leadMs }: { leadMs: number }): Promise<Date> {
  const instant = new Date(Math.ceil((Date.now() + leadMs) / 60_000) * 60_000)
  await chooseDay(page, 'Date de révélation', instant)
  await page.getByLabel('Heure').fill(inBrussels(instant, { hour: '2-digit', minute: '2-digit' }))
  return instant
}

/** Chooses the day of an instant, of this month, in the field of that name. */
export async function chooseDay(page: Page, label: string, instant: Date): Promise<void> {
  await page.getByLabel(label, { exact: true }).click()
  const name = inBrussels(instant, { dateStyle: 'full' })
  await page
    .getByRole('gridcell')
    .getByRole('button', { name })
    .or(page.getByRole('button', { name }))
    .first()
    .click()
}

function inBrussels(instant: Date, options: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('fr', { timeZone: 'Europe/Brussels', ...options }).format(instant)
}
