import type { Page } from '@playwright/test'

/** Chooses the next whole minute that is at least this far, in the fields of a form. */
export async function chooseMinute(page: Page, { leadMs }: { leadMs: number }): Promise<Date> {
  const instant = new Date(Math.ceil((Date.now() + leadMs) / 60_000) * 60_000)
  const inBrussels = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat('fr', { timeZone: 'Europe/Brussels', ...options }).format(instant)
  await page.getByLabel('Date de révélation').click()
  await page
    .getByRole('gridcell')
    .getByRole('button', { name: inBrussels({ dateStyle: 'full' }) })
    .or(page.getByRole('button', { name: inBrussels({ dateStyle: 'full' }) }))
    .first()
    .click()
  await page.getByLabel('Heure').fill(inBrussels({ hour: '2-digit', minute: '2-digit' }))
  return instant
}
