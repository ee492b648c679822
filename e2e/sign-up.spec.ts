import { expect, type Page } from '@playwright/test'
import { test } from './journey.ts'
import { cameBefore, newPseudo, origin, PASSWORD } from './people.ts'

const WRITE = 'Pour qui, et pourquoi\u202F?'

/** Presses the button as a hand does: it takes its time, and what moves meanwhile is missed. */
async function press(page: Page): Promise<void> {
  const button = page.getByRole('button', { name: 'Créer mon compte' })
  await button.scrollIntoViewIfNeeded()
  const before = await button.boundingBox()
  if (!before) throw new Error('The form has no button')
  await page.mouse.move(before.x + before.width / 2, before.y + 4)
  await page.mouse.down()
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  )
  const now = await button.boundingBox()
  // A pressed button sinks by a pixel.
  expect(Math.abs((now?.y ?? 0) - before.y)).toBeLessThanOrEqual(1)
  await page.mouse.up()
}

test('a new person is led to the letter they came to write, by a form that stands still @both', async ({
  page,
}) => {
  await cameBefore(page)
  await page.goto(origin())
  await page.getByRole('link', { name: 'Sceller ma première révélation' }).click()
  const pseudo = newPseudo()
  // The search of the home page is labelled with this word too.
  await page.getByLabel('Pseudo', { exact: true }).fill(pseudo)
  await page.getByLabel('E-mail').fill(`${pseudo}@exemple.test`)
  await page.getByLabel('Mot de passe', { exact: true }).fill(PASSWORD)
  // The last field one was in is wrong: its sentence waits until the press is over.
  await page.getByLabel('Confirmer le mot de passe').pressSequentially('autre')
  await press(page)
  await expect(page.getByText('Les mots de passe ne correspondent pas')).toBeVisible()
  await page.getByLabel('Confirmer le mot de passe').fill(PASSWORD)
  await page.getByLabel(/15 ans/).check()
  await press(page)
  await expect(page.getByRole('heading', { name: WRITE })).toBeVisible()
  expect(new URL(page.url()).pathname).toBe('/create')
})
